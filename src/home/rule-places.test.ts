import { expect, test } from 'vitest';
import { apiSocketPath, socketPath } from '../wire/socket-path.ts';
import { rulePlaces } from './rule-places.ts';

test('both sockets of a home are protected, also where its path is too long for them', () => {
  const root = `/srv/${'long/'.repeat(40)}home`;
  expect(apiSocketPath(root).startsWith(root)).toBe(false);
  expect(rulePlaces(root)['hookline-run']).toEqual([`${root}/run/**`, socketPath(root), apiSocketPath(root)]);
});
