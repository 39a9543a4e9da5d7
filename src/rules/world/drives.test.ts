import { expect, test } from 'vitest';
import { plainWorld } from '../../../test/support/rules/rules.ts';
import { posixFolder, windowsPath } from '../../shell/places/windows-paths.ts';
import { withDrives } from './drives.ts';

test.each([
  ['C:\\Users\\x', '/c/Users/x'],
  ['d:\\', '/d'],
])('%s is %s, and back', (windows, posix) => {
  expect(posixFolder(windows)).toBe(posix);
  expect(windowsPath(posix).toLowerCase()).toBe(windows.toLowerCase());
});

test('other paths stay what they are', () => {
  for (const path of ['/home/dev', 'src/x', '~/x', '']) expect(posixFolder(path)).toBe(path);
  expect(posixFolder(null)).toBe(null);
  expect(windowsPath('/home/dev')).toBe('/home/dev');
});

test('what is asked about a path is asked under its name on Windows', () => {
  const asked: string[] = [];
  const hear = (path: string) => {
    asked.push(path);
    return path;
  };
  const world = withDrives({
    ...plainWorld,
    home: 'C:\\Users\\dev',
    real: hear,
    exists: (path) => hear(path) !== '',
    filesBelow: (folder) => [`${hear(folder)}\\a`],
  });
  expect(world.home).toBe('/c/Users/dev');
  expect(world.real('/c/Users/dev/x')).toBe('/c/Users/dev/x');
  expect(world.exists?.('/d/x')).toBe(true);
  expect(world.filesBelow?.('/d/x', () => false)).toEqual(['/d/x/a']);
  expect(asked).toEqual(['C:\\Users\\dev\\x', 'D:\\x', 'D:\\x']);
});
