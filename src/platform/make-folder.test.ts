import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { makeFolder } from './make-folder.ts';

test('creates all missing directories with the mode', () => {
  const root = scratchFolder();
  makeFolder(join(root, 'a', 'b', 'c'), 0o700);
  makeFolder(join(root, 'a', 'b', 'c'), 0o700);
  expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
  expect(statSync(join(root, 'a', 'b', 'c')).isDirectory()).toBe(true);
});

test('names the obstacle', () => {
  const root = scratchFolder();
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow(/^EEXIST/);
  expect(() => makeFolder(join(root, 'file', 'a', 'b'))).toThrow(/^ENOTDIR/);
});

test.runIf(process.platform === 'linux')('ends on a file system that never creates directories', () => {
  expect(() => makeFolder('/proc/nope/a/b')).toThrow(
    expect.objectContaining({ code: 'ENOENT', syscall: 'mkdir', path: '/proc/nope' }),
  );
});
