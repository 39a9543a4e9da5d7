import { expect } from 'vitest';
import { received, testMachine } from '../../../test/support/fleet/archived-machine.ts';
import { freshDatabase, testWithPostgres as test } from '../../../test/support/fleet/postgres.ts';
import { afterTool, base, beforeTool } from '../../../test/support/store/store.ts';
import { deny } from '../../model/responses.ts';
import { prepareArchive } from './migrate.ts';
import { searchArchive } from './search.ts';
import { storeEntries } from './write.ts';

/** A database with the activity of two machines. */
async function filled() {
  const { open } = await freshDatabase();
  const db = await open();
  await prepareArchive(db, 'test');
  const [one, two] = [testMachine(), testMachine()];
  const ids = {
    push: one.note(beforeTool('git push --force origin main'), { response: deny('History is kept.') }),
    pushed: one.note(afterTool('git push origin main', null, 's2')),
    edit: two.note(beforeTool('vim src/auth/login_page.ts')),
    prompt: two.note({
      ...base('s3'),
      type: 'before_agent',
      prompt: 'Überprüfe 50% of it\0now',
      title: null,
    }),
  };
  for (const machine of [one, two])
    await storeEntries(
      db,
      's',
      (await machine.messages()).map((message, at) => received(message, at)),
    );
  await db.query("UPDATE hookline.machines SET name = 'Laptop' WHERE machine = $1", [one.id]);
  const found = async (text: string, more: Partial<Parameters<typeof searchArchive>[1]> = {}) =>
    (await searchArchive(db, { text, limit: 20, ...more })).hits.map(({ event }) => event.id);
  return { db, ids, one, two, found };
}

test('finds words, exact phrases and prefixes anywhere', async () => {
  const { found, ids } = await filled();
  expect(await found('push')).toEqual([ids.pushed, ids.push]);
  expect(await found('PUSH Force')).toEqual([ids.push]);
  expect(await found('"push origin"')).toEqual([ids.pushed]);
  expect(await found('"origin push"')).toEqual([]);
  expect(await found('login')).toEqual([ids.edit]);
  expect(await found('src/auth/login_page.ts')).toEqual([ids.edit]);
  expect(await found('logi')).toEqual([]);
  expect(await found('logi*')).toEqual([ids.edit]);
  expect(await found('uberprufe')).toEqual([ids.prompt]);
  expect(await found('it now')).toEqual([ids.prompt]);
  // The reason of the decision.
  expect(await found('history kept')).toEqual([ids.push]);
});

test('filters, with and without words', async () => {
  const { db, found, ids, one, two } = await filled();
  expect(await found('push', { decision: 'deny' })).toEqual([ids.push]);
  expect(await found('', { type: 'before_agent' })).toEqual([ids.prompt]);
  expect(await found('', { source: 'unknown' })).toEqual([]);
  expect(await found('', { machine: 'laptop' })).toEqual([ids.pushed, ids.push]);
  expect(await found('', { machine: two.id.slice(0, 6) })).toEqual([ids.prompt, ids.edit]);
  expect(await found('', { limit: 1 })).toEqual([ids.prompt]);
  const { hits } = await searchArchive(db, { text: '', limit: 9 });
  const [last, , , first] = hits.map(({ event }) => event.timestamp);
  expect(await found('', { since: last ?? 0 })).toEqual([ids.prompt]);
  expect(await found('', { until: (first ?? 0) + 1 })).toEqual([ids.push]);
  expect(hits[3]?.machine).toEqual({ id: one.id, name: 'Laptop' });
  await expect(found('', { machine: 'nowhere' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    hint: expect.stringMatching(/^Known machines: .*Laptop/),
  });
});

const ODD = [
  "'); DROP TABLE hookline.events; --",
  "push' | 'vim",
  'push:* & !vim',
  "\\' <-> (",
  'a\0b',
  '\ud800',
  '"',
  '*',
  '$1 ?',
];

test('treats any search text as words only', async () => {
  const { ids, found } = await filled();
  expect(await found("push' | 'vim")).toEqual([]);
  for (const text of ODD) {
    await found(text);
    for (const filter of ['source', 'decision'] as const)
      expect(await found('', { [filter]: text }), text).toEqual([]);
    await expect(found('', { machine: text }), text).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await found('vim')).toEqual([ids.edit]);
});

test('counts a record that only a newer Hookline understands, and still returns the others', async () => {
  const { db, ids } = await filled();
  await db.query("UPDATE hookline.events SET type = 'of_tomorrow' WHERE id = $1", [ids.push]);
  const { hits, unreadable } = await searchArchive(db, { text: 'push', limit: 5 });
  expect(hits.map(({ event }) => event.id)).toEqual([ids.pushed]);
  expect(unreadable).toBe(1);
});
