import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { fnv1a, sharedFolderProblem, socketFolderProblem, socketPath } from './socket-path.ts';

/** It is not there, but its path is short wherever the temp folder is. */
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

test('the hash is the one that the native forwarder uses', () => {
  expect(fnv1a('')).toBe('cbf29ce484222325');
  expect(fnv1a('foobar')).toBe('85944171f73967e8');
});

describe.skipIf(process.platform === 'win32')('the socket', () => {
  test('is in the home', () => {
    expect(socketPath(HOME)).toBe(join(HOME, 'run', 'hookline.sock'));
  });

  test('is the same however the home is reached', () => {
    const link = join(scratch, 'link');
    const home = longHome();
    symlinkSync(home, link);
    expect(socketPath(link)).toBe(socketPath(home));
  });

  test('of a home with a long path is under /tmp, up to 100 bytes it is not', () => {
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

  test('in a shared folder is trusted only when that is private and of the same owner', () => {
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
