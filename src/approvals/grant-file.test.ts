import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { openLastGood } from '../platform/last-good.ts';
import { hashOf } from './grant.ts';
import { openGrants } from './grant-file.ts';

/** A grant as the version before wrote it. */
const old = (id: string, scope: string, key: string, text: string, behavior = 'allow') => ({
  id,
  behavior,
  scope,
  key: hashOf({ key }),
  text,
  sessionId: null,
  project: scope === 'always' ? null : '/home/dev/shop',
  branch: null,
  cwd: scope === 'always' ? null : '/home/dev/shop',
  createdAt: '2026-11-01T00:00:00Z',
  expiresAt: null,
  by: 'ann',
  eventId: null,
});

test('grants of an earlier version are applied only where they are as narrow, and the others are named', () => {
  const path = join(scratchFolder(), 'grants.json');
  writeFileSync(
    path,
    JSON.stringify([
      old('project', 'project', 'sh npm test', 'npm test'),
      old('command', 'always', 'sh npm test', 'npm test'),
      old('mcp', 'always', 'mcp db/query', 'db/query'),
      old('server', 'always', 'mcp db/*', 'db/*'),
      old('refused', 'project', 'sh npm publish', 'npm publish', 'deny'),
      old('refused-mcp', 'always', 'mcp db/drop', 'db/drop', 'deny'),
    ]),
  );
  const grants = openGrants(path);
  expect(grants.list().map(({ id }) => id)).toEqual(['command', 'server', 'refused', 'refused-mcp']);
  expect(grants.outdated().map(({ id }) => id)).toEqual(['project', 'mcp']);
});

test('a file that cannot be read grants nothing', () => {
  const path = join(scratchFolder(), 'grants.json');
  writeFileSync(path, '[{"id": 1}]');
  expect(openGrants(path).list()).toEqual([]);
});

test('a file that is broken still refuses what it refused, also after a restart, and says what is wrong', () => {
  const folder = scratchFolder();
  const path = join(folder, 'grants.json');
  const lastGood = openLastGood(join(folder, 'last-good'));
  const refused = old('refused', 'always', 'sh npm publish', 'npm publish', 'deny');
  writeFileSync(path, JSON.stringify([refused, old('allowed', 'always', 'sh npm test', 'npm test')]));
  const grants = openGrants(path, lastGood);
  expect([grants.list().length, grants.problem()]).toEqual([2, null]);
  writeFileSync(path, '[{');
  for (const after of [grants, openGrants(path, openLastGood(join(folder, 'last-good')))]) {
    expect(after.list().map(({ id }) => id)).toEqual(['refused']);
    expect(after.problem()).toMatchObject({ where: path, isLost: false });
  }
  rmSync(path);
  expect([grants.list(), grants.problem()]).toEqual([[], null]);
});

test.each([
  ['text', (path: string) => writeFileSync(path, '[{')],
  ['a folder', (path: string) => mkdirSync(path)],
])('%s instead of grants, of which nothing is known from before, has lost them', (_, make) => {
  const path = join(scratchFolder(), 'grants.json');
  make(path);
  expect(openGrants(path).problem()).toMatchObject({ isLost: true });
});

test('what is outdated stays in the file until it is revoked', () => {
  const path = join(scratchFolder(), 'grants.json');
  const before = [
    old('project', 'project', 'sh npm test', 'npm test'),
    old('refused', 'project', 'sh npm publish', 'npm publish', 'deny'),
  ];
  writeFileSync(path, JSON.stringify(before));
  const grants = openGrants(path);
  const [refused] = grants.list();
  if (!refused) throw new Error('there is one');
  grants.add({ ...refused, id: 'new' });
  expect(grants.outdated().map(({ id }) => id)).toEqual(['project']);
  expect(grants.list().map(({ id }) => id)).toEqual(['refused', 'new']);
  expect(grants.revoke('new')?.id).toBe('new');
  expect(grants.outdated().map(({ id }) => id)).toEqual(['project']);
  expect(grants.revoke('project')).toMatchObject({ id: 'project', text: 'npm test' });
  expect(grants.outdated()).toEqual([]);
  expect(grants.list().map(({ id }) => id)).toEqual(['refused']);
});

test('a file that cannot be read is not written over: there may be refusals in it', () => {
  const path = join(scratchFolder(), 'grants.json');
  writeFileSync(path, '[{"id": "half');
  const grants = openGrants(path);
  const grant = {
    ...old('new', 'always', 'sh ls', 'ls'),
    behavior: 'allow',
    scope: 'always',
    covers: 'ls',
    place: null,
  } as const;
  expect(() => grants.add(grant)).toThrow(`Can't read ${path}`);
  expect(() => grants.revoke('new')).toThrow(`Can't read ${path}`);
  expect(readFileSync(path, 'utf8')).toBe('[{"id": "half');
});
