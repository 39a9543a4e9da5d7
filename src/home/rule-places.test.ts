import { expect, test } from 'vitest';
import { apiSocketPath, socketPath } from '../wire/socket-path.ts';
import { rulePlaces } from './rule-places.ts';

test('protects both sockets of a home, even if its path is too long for them', () => {
  const root = `/srv/${'long/'.repeat(40)}home`;
  expect(apiSocketPath(root).startsWith(root)).toBe(false);
  expect(rulePlaces(root)['hookline-run']).toEqual([`${root}/run/**`, socketPath(root), apiSocketPath(root)]);
});

test('no agent claims a directory that many programs share', () => {
  const folders = rulePlaces('/srv/home')['agent-settings-folders'] ?? [];
  expect(folders.some((folder) => folder.startsWith('**/.config/'))).toBe(true);
  expect(folders).not.toContain('**/.config');
  expect(folders).not.toContain('**/.github');
});

test('directories on the way to a settings file belong to an agent too', () => {
  const folders = rulePlaces('/srv/home')['agent-settings-folders'] ?? [];
  expect(folders).toEqual(expect.arrayContaining(['**/.pi', '**/.pi/agent', '**/.cline/data/settings']));
  expect(folders.filter((folder) => /\*(?!\*?\/)/.test(folder))).toEqual([]);
});
