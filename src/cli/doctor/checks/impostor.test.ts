import { expect, test } from 'vitest';
import { examined } from '../../../../test/support/doctor.ts';
import { homePaths } from '../../../home/paths.ts';
import type { SocketOwner } from '../../../wire/impostor.ts';
import { impostor } from './impostor.ts';

const found = (owner: SocketOwner) => impostor({ ...examined({}), paths: homePaths('/home') }, () => owner);

test('a process that listens in place of the daemon is a problem, with its number where that is known', () => {
  expect(found({ kind: 'impostor', pid: 4711 })).toMatchObject([
    { level: 'problem', code: 'impostor', message: expect.stringContaining('Process 4711 listens') },
  ]);
  expect(found({ kind: 'impostor', pid: null })).toMatchObject([
    { code: 'impostor', message: expect.stringContaining('Another process listens') },
  ]);
});

test('a daemon that cannot be proved is a limit, and one that is proved is not worth a word', () => {
  expect(found({ kind: 'unknown' })).toMatchObject([{ level: 'limit', code: 'peer-unproved' }]);
  expect(found({ kind: 'daemon' })).toEqual([]);
  expect(found({ kind: 'stopped' })).toEqual([]);
  const none = { presence: { kind: 'none' }, paths: homePaths('/home') } as const;
  expect(impostor(none, () => ({ kind: 'unknown' }))).toEqual([]);
});
