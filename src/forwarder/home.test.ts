import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  fnv1a,
  pickEnv,
  readForwarderSettings,
  sharedFolderProblem,
  socketFolderProblem,
  socketPath,
} from './home.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'hookline-home-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

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
    expect(socketPath(scratch)).toBe(join(scratch, 'run', 'hookline.sock'));
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
    const rest = 100 - join(scratch, '', 'run', 'hookline.sock').length - 1;
    const fits = join(scratch, 'y'.repeat(rest));
    expect(socketPath(fits)).toBe(join(fits, 'run', 'hookline.sock'));
    expect(socketPath(`${fits}y`)).toMatch(/^\/tmp\/hookline-/);
  });

  test('in the home is trusted', () => {
    expect(socketFolderProblem(scratch)).toBeNull();
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

describe('the settings', () => {
  test.each([
    ['{"node":"/n","script":"/s","env":["A",1,"B"]}', { node: '/n', script: '/s', env: ['A', 'B'] }],
    ['{"node":"/n","script":"/s"}', { node: '/n', script: '/s', env: [] }],
    ['{"node":"/n"}', null],
    ['{"node":1,"script":"/s"}', null],
    ['null', null],
    ['{', null],
  ])('%s', (text, expected) => {
    const file = join(scratch, 'bin', 'forwarder.json');
    mkdirSync(dirname(file));
    writeFileSync(file, text);
    expect(readForwarderSettings(scratch)).toEqual(expected);
  });

  test('may be missing', () => {
    expect(readForwarderSettings(scratch)).toBeNull();
  });
});

test('only listed variables that are set are sent', () => {
  expect(pickEnv(['A', 'B', 'EMPTY'], { A: '1', C: '2', EMPTY: '' })).toEqual({ A: '1', EMPTY: '' });
});
