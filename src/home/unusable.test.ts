import { expect, test } from 'vitest';
import { homeUnusable } from './unusable.ts';

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
  const told = homeUnusable(error, '/home/dora/.hookline');
  expect(told).toMatchObject({ code: 'HOME_UNUSABLE', message: expect.stringContaining(why) });
  expect(told?.hint).toContain('HOOKLINE_HOME');
});

test.each([
  ['elsewhere', fault('EACCES', '/home/dora/.claude/settings.json')],
  ['of a file that is missing', fault('ENOENT', '/home/dora/.hookline/config.yaml')],
  ['of our own', new TypeError('x is undefined')],
])('a fault %s is no fault of the home', (_, error) => {
  expect(homeUnusable(error, '/home/dora/.hookline')).toBeNull();
});
