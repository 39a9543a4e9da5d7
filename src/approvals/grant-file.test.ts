import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { openLastGood } from '../platform/last-good.ts';
import { hashOf } from './grant.ts';
import { openGrants } from './grant-file.ts';

/** A grant in the format of the previous version. */
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

test('applies grants of an earlier version only if they are as narrow, and reports the others', () => {
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

test('an unreadable file grants nothing', () => {
  const path = join(scratchFolder(), 'grants.json');
  writeFileSync(path, '[{"id": 1}]');
  expect(openGrants(path).list()).toEqual([]);
});

test('a broken file keeps its denials, even after a restart, and reports the problem', () => {
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
])('%s instead of grants, without a known earlier version, means that grants are lost', (_, make) => {
  const path = join(scratchFolder(), 'grants.json');
  make(path);
  expect(openGrants(path).problem()).toMatchObject({ isLost: true });
});

test('outdated grants stay in the file until they are revoked', () => {
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

test("doesn't overwrite an unreadable file, which may contain denials", () => {
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
