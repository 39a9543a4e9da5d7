import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { base, beforeTool, call, prompt, scratchPath } from '../../../test/support/store/store.ts';
import type { HookEvent } from '../../model/events.ts';
import { type Database, openDatabase } from '../database/driver.ts';
import { migrate } from '../database/migrate.ts';
import { openStore } from '../database/open.ts';
import { listEvents, listSessions } from '../read/queries.ts';
import { createRecorder, type StoreRecorder } from './recorder.ts';

test('calls of one turn are one transaction, and none is confirmed before it ended', async () => {
  const { db, recorder, transactions } = store();
  const confirmed: string[] = [];
  const commits = ['a', 'b', 'c'].map(async (id) => {
    expect(await recorder.commitSoon(call(recorder.place({ ...prompt(), id })))).toBe(true);
    confirmed.push(id);
  });
  await null;
  expect(confirmed).toEqual([]);
  await Promise.all(commits);
  expect(transactions()).toBe(1);
  expect(listEvents(db).map(({ id, sequence }) => [id, sequence])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
});

test.each(['ABORT', 'ROLLBACK'])(
  'in a batch that fails with %s only the bad record is refused',
  async (how) => {
    const { db, recorder } = store();
    failFor(db, 'bad', how);
    const ids = ['a', 'bad', 'b', 'c'];
    const events = ids.map((id) => recorder.place({ ...prompt(), id }));
    const results = await Promise.allSettled(events.map((event) => recorder.commitSoon(call(event))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(listEvents(db).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(await recorder.commitSoon(call(recorder.place({ ...prompt(), id: 'd' })))).toBe(true);
    expect(listSessions(db)).toMatchObject([{ sequence: 5, promptNumber: 5 }]);
  },
);

test("rejects only the record that can't be written", async () => {
  const { db, recorder } = store();
  const bad = call(recorder.place(prompt()));
  const good = call(recorder.place({ ...prompt(), id: 'good' }));
  const broken = { ...bad, opinions: null as never };
  const results = await Promise.allSettled([recorder.commitSoon(broken), recorder.commitSoon(good)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(listEvents(db).map(({ id }) => id)).toEqual(['good']);
});

test('while the database is busy no call is confirmed, and none waits behind another', async () => {
  const path = scratchPath();
  const { db, recorder, transactions } = store(path);
  const other = openDatabase(path);
  onTestFinished(() => other.close());
  db.exec('PRAGMA busy_timeout = 1');
  other.exec('BEGIN IMMEDIATE');
  const commits = [prompt(), prompt()].map((event) => recorder.commitSoon(call(recorder.place(event))));
  const results = await Promise.allSettled(commits);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(transactions()).toBe(1);
  other.exec('ROLLBACK');
  expect(listEvents(db)).toEqual([]);
});

test('the same call twice in one turn is stored once', async () => {
  const { db, recorder } = store();
  const event = prompt();
  const twice = [event, event].map((one) => recorder.commitSoon(call(recorder.place(one))));
  expect(await Promise.all(twice)).toEqual([true, false]);
  expect(listEvents(db)).toMatchObject([{ id: event.id, sequence: 1 }]);
});

test('context that an answer of this turn carries is not given to the next one', async () => {
  const { recorder } = store();
  recorder.commit(call(recorder.place(prompt()), { deferred: 'remember this' }));
  const delivered = recorder.waitingContext('claude', 's1').map(({ id }) => id);
  expect(delivered).toHaveLength(1);
  const carried = recorder.commitSoon(call(recorder.place(prompt()), { delivered }));
  expect(recorder.waitingContext('claude', 's1')).toEqual([]);
  await carried;
  expect(recorder.waitingContext('claude', 's1')).toEqual([]);
});

test('context of an answer that was not stored waits on', async () => {
  const { db, recorder } = store();
  recorder.commit(call(recorder.place(prompt()), { deferred: 'remember this' }));
  const delivered = recorder.waitingContext('claude', 's1').map(({ id }) => id);
  failFor(db, 'bad', 'ABORT');
  const bad = call(recorder.place({ ...prompt(), id: 'bad' }), { delivered });
  await expect(recorder.commitSoon(bad)).rejects.toThrow('refused');
  expect(recorder.waitingContext('claude', 's1')).toMatchObject([{ text: 'remember this' }]);
  const again = call(recorder.place(prompt()), { delivered });
  const broken = { ...again, opinions: null as never };
  await expect(recorder.commitSoon(broken)).rejects.toThrow();
  expect(recorder.waitingContext('claude', 's1')).toMatchObject([{ text: 'remember this' }]);
});

const KINDS = ['prompt', 'tool', 'start', 'end'] as const;
const batches = fc.array(
  fc.array(fc.record({ kind: fc.constantFrom(...KINDS), session: fc.constantFrom('a', 'b') }), {
    minLength: 1,
    maxLength: 6,
  }),
  { maxLength: 8 },
);

test('a batch leaves the same rows as its calls one by one', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (plan) => {
      const [one, many] = [memoryStore(), memoryStore()];
      for (const batch of plan) {
        const events = batch.map(({ kind, session }) => eventOf(kind, session));
        const [alone, together] = [one, many].map(({ recorder }) =>
          events.map((event) => call(recorder.place(event))),
        );
        const stored = alone?.map((record) => one.recorder.commit(record));
        const soon = await Promise.all(together?.map((record) => many.recorder.commitSoon(record)) ?? []);
        expect(soon).toEqual(stored);
      }
      expect(listSessions(many.db)).toEqual(listSessions(one.db));
      expect(listEvents(many.db)).toEqual(listEvents(one.db));
      for (const { db } of [one, many]) db.close();
    }),
    { numRuns: 100 },
  );
});

function eventOf(kind: (typeof KINDS)[number], session: string): HookEvent {
  if (kind === 'prompt') return { ...prompt(session), cwd: '/elsewhere' };
  if (kind === 'tool') return beforeTool('ls', null, session);
  if (kind === 'end') return { ...base(session), cwd: null, type: 'session_end', reason: 'exit' };
  return { ...base(session), type: 'session_start', trigger: 'resume', model: null, title: null };
}

function failFor(db: Database, id: string, how: string): void {
  db.exec(`CREATE TRIGGER bad BEFORE INSERT ON events WHEN NEW.id = '${id}'
    BEGIN SELECT RAISE(${how}, 'refused'); END`);
}

function memoryStore(): { db: Database; recorder: StoreRecorder } {
  const db = openDatabase(':memory:');
  migrate(db);
  return { db, recorder: createRecorder(db, { redact: (text) => text }) };
}

function store(path = scratchPath()): { db: Database; recorder: StoreRecorder; transactions: () => number } {
  const db = openStore(path);
  onTestFinished(() => db.close());
  let count = 0;
  const counted: Database = {
    ...db,
    transaction: (work) => {
      count += 1;
      return db.transaction(work);
    },
  };
  return {
    db,
    recorder: createRecorder(counted, { redact: (text) => text }),
    transactions: () => count,
  };
}
