import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { fileUnusable } from './unusable.ts';

const fault = (code: string, path: string, syscall = 'open') =>
  Object.assign(new Error(`${code}: it failed, ${syscall} '${path}'`), { code, path, syscall });

test.each([
  ['the home', fault('EACCES', '/home/dora/.hookline', 'mkdir'), 'permission denied'],
  [
    'a folder above it',
    fault('ENOENT', '/home/dora', 'mkdir'),
    'its file system has no support for directories',
  ],
  ['a file in it', fault('ENOSPC', '/home/dora/.hookline/run/token'), 'the disk is full'],
])('a fault of %s is told with its cause', (_, error, why) => {
  const told = fileUnusable(error, '/home/dora/.hookline');
  expect(told).toMatchObject({ code: 'HOME_UNUSABLE', message: expect.stringContaining(why) });
  expect(told?.hint).toContain('HOOKLINE_HOME');
});

test('a fault elsewhere is told with the path and the mode, and without a stack', () => {
  const path = join(scratchFolder(), 'settings.json');
  writeFileSync(path, '{}', { mode: 0o400 });
  expect(fileUnusable(fault('EACCES', path), '/home/dora/.hookline')).toMatchObject({
    code: 'FILE_UNUSABLE',
    message: `Can't use ${path}: permission denied (EACCES). It has mode 0400 and belongs to you.`,
  });
});

test('a path that cannot be looked at is told with the directory that is above it', () => {
  const folder = scratchFolder();
  chmodSync(folder, 0o750);
  const told = fileUnusable(fault('EACCES', join(folder, 'a', 'b')), '/home/dora/.hookline');
  expect(told?.message).toContain(`${folder} has mode 0750`);
});

test.each([
  ['of a file that is missing', fault('ENOENT', '/home/dora/.hookline/config.yaml')],
  ['of our own', new TypeError('x is undefined')],
])('a fault %s is none of the disk', (_, error) => {
  expect(fileUnusable(error, '/home/dora/.hookline')).toBeNull();
});
