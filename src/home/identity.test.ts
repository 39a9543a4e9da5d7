import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { homeFolder } from '../wire/home-folder.ts';
import { readIdentity } from './identity.ts';
import { homePaths } from './paths.ts';

function scratch(): string {
  const folder = scratchFolder();
  return folder;
}

test('a machine has one ID per home, readable only by this user', () => {
  const paths = homePaths(join(scratch(), 'not', 'yet'));
  const first = readIdentity(paths);
  expect(first.machineId).toMatch(/^[0-9a-f-]{36}$/);
  expect(readIdentity(paths).machineId).toBe(first.machineId);
  expect(statSync(paths.machineId).mode & 0o777).toBe(0o600);
  expect(readIdentity(homePaths(scratch())).machineId).not.toBe(first.machineId);
});

test('a machine without an ID works without an error', () => {
  const paths = homePaths(scratch());
  // The state after a first write to a full disk.
  writeFileSync(paths.machineId, '');
  expect(readIdentity(paths).machineId).toBeNull();
});

test('a project is the repository around a directory, or the directory', () => {
  const root = scratch();
  mkdirSync(join(root, 'repo', '.git'), { recursive: true });
  mkdirSync(join(root, 'repo', 'a', 'b'), { recursive: true });
  mkdirSync(join(root, 'plain', 'a'), { recursive: true });
  const { projectOf } = readIdentity(homePaths(join(root, 'home')));
  expect(projectOf(join(root, 'repo', 'a', 'b'))).toBe(join(root, 'repo'));
  expect(projectOf(join(root, 'repo'))).toBe(join(root, 'repo'));
  expect(projectOf(join(root, 'plain', 'a'))).toBe(join(root, 'plain', 'a'));
  expect(projectOf(join(root, 'gone', 'long', 'ago'))).toBe(join(root, 'gone', 'long', 'ago'));
  for (const odd of ['relative/path', '', 'nul\0byte']) expect(projectOf(odd)).toBe(odd);
});

test("the home is at the variable's path, or in the user's home directory", () => {
  expect(homeFolder({ HOOKLINE_HOME: '/x/y/../z', HOME: '/h' })).toBe('/x/z');
  expect(homeFolder({ HOOKLINE_HOME: '', HOME: '/h' })).toBe('/h/.hookline');
});
