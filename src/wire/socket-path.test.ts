import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { fnv1a, sharedFolderProblem, socketFolderProblem, socketPath } from './socket-path.ts';

/** It doesn't exist, but its path is short wherever the temp directory is. */
const HOME = '/home/dev/.hookline';
let scratch: string;
beforeEach(() => {
  scratch = scratchFolder();
});

function longHome(): string {
  const home = join(scratch, 'x'.repeat(100));
  mkdirSync(home);
  return home;
}

test('the native forwarder uses the same hash', () => {
  expect(fnv1a('')).toBe('cbf29ce484222325');
  expect(fnv1a('foobar')).toBe('85944171f73967e8');
});

describe.skipIf(process.platform === 'win32')('the socket', () => {
  test('is in the home', () => {
    expect(socketPath(HOME)).toBe(join(HOME, 'run', 'hookline.sock'));
  });

  test('is the same for every path to the home', () => {
    const link = join(scratch, 'link');
    const home = longHome();
    symlinkSync(home, link);
    expect(socketPath(link)).toBe(socketPath(home));
  });

  test('is under /tmp for a home with a long path, but not up to 100 bytes', () => {
    const home = longHome();
    expect(socketPath(home)).toBe(`/tmp/hookline-${process.getuid?.()}/${fnv1a(home)}.sock`);
    const rest = 100 - join(HOME, '', 'run', 'hookline.sock').length - 1;
    const fits = join(HOME, 'y'.repeat(rest));
    expect(socketPath(fits)).toBe(join(fits, 'run', 'hookline.sock'));
    expect(socketPath(`${fits}y`)).toMatch(/^\/tmp\/hookline-/);
  });

  test('in the home is trusted', () => {
    expect(socketFolderProblem(HOME)).toBeNull();
  });

  test('in a shared directory is trusted only if that is private and has the same owner', () => {
    const owner = process.getuid?.() ?? 0;
    const folder = join(scratch, 'shared');
    expect(sharedFolderProblem(folder, owner)).toContain('does not exist');
    mkdirSync(folder, { mode: 0o700 });
    expect(sharedFolderProblem(folder, owner)).toBeNull();
    expect(sharedFolderProblem(folder, owner + 1)).toContain('not private');
    chmodSync(folder, 0o710);
    expect(sharedFolderProblem(folder, owner)).toContain('not private');
    symlinkSync(scratch, join(scratch, 'link'));
    expect(sharedFolderProblem(join(scratch, 'link'), owner)).toContain('not private');
  });
});
