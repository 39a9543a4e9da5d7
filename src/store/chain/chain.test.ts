import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { beforeTool, call, prompt, scratchPath } from '../../../test/support/store/store.ts';
import { deny } from '../../model/responses.ts';
import type { Database } from '../database/driver.ts';
import { openStore } from '../database/open.ts';
import { forget, prune } from '../forget.ts';
import { EVENT_COLUMNS } from '../read/event-columns.ts';
import { createRecorder, type StoreRecorder } from '../record/recorder.ts';
import { CHECKPOINT_EVERY, lastLink, START } from './chain.ts';
import { countUnlinked, readChain, WHOLE_CHAIN } from './read-chain.ts';
import { hashRecord } from './record-hash.ts';
import { verifyStore } from './verify-chain.ts';

const keys = generateKeyPairSync('ed25519');
const signer = { sign: (text: string) => sign(null, Buffer.from(text), keys.privateKey).toString('base64') };
/** Calls of this session get answers, with no sign that they weren't recorded. */
const IGNORING = `CREATE TRIGGER t BEFORE INSERT ON events WHEN NEW.session_id = 'hidden' BEGIN SELECT RAISE(IGNORE); END`;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Feeds the session row, so the row no longer matches after an event is changed. */
const TOLD_OF_SESSIONS = new Set([
  'source',
  'session_id',
  'sequence',
  'prompt_number',
  'tool_number',
  'timestamp',
]);
const SESSION_AT = (link: number) => ({
  link,
  what: 'session',
  message: expect.stringMatching(/^\d sessions? not as the events say/),
});

test('the history can be verified, also after a restart', () => {
  const { db, recorder } = store();
  record(recorder, CHECKPOINT_EVERY + 6);
  recorder.close();
  record(recorderOf(db), 5);
  expect(checked(db)).toEqual({
    records: CHECKPOINT_EVERY + 11,
    deleted: 0,
    lost: 0,
    cut: 0,
    lastLink: CHECKPOINT_EVERY + 11,
    signedTo: CHECKPOINT_EVERY + 6,
    unverifiable: [],
    problems: [],
  });
});

test.each(EVENT_COLUMNS)('detects a record with a changed %s', (column) => {
  const { db, recorder } = store();
  record(recorder, 3);
  const isNumber = /sequence|number|timestamp|latency/.test(column);
  db.exec(`UPDATE events SET ${column} = ${isNumber ? 4711 : "'another'"} WHERE link = 2`);
  expect(checked(db).problems).toEqual([
    {
      link: 2,
      what: 'changed',
      message: expect.stringMatching(/^Link 2 \(event .+\) is not what was recorded\.$/),
    },
    ...(TOLD_OF_SESSIONS.has(column) ? [SESSION_AT(4)] : []),
  ]);
});

test('reports a deleted record as missing, even if others were changed later', () => {
  const { db, recorder } = store();
  record(recorder, 9);
  db.exec('DELETE FROM events WHERE link IN (3, 4)');
  db.exec("UPDATE events SET decision = 'allow' WHERE link = 8");
  expect(checked(db).problems).toMatchObject([
    { link: 3, what: 'missing', message: expect.stringContaining('Links 3 to 4 are missing') },
    { link: 8, what: 'changed' },
  ]);
});

test('recomputed hashes contradict the signatures', () => {
  const { db, recorder } = store();
  record(recorder, CHECKPOINT_EVERY);
  db.exec("UPDATE events SET decision = 'allow' WHERE link = 1");
  rehash(db);
  expect(checked(db).problems).toMatchObject([{ link: CHECKPOINT_EVERY, what: 'checkpoint' }]);
  db.exec('DELETE FROM chain_checkpoints');
  expect(checked(db)).toMatchObject({
    signedTo: 0,
    unverifiable: [],
    problems: [{ link: CHECKPOINT_EVERY, what: 'checkpoint-missing' }],
  });
});

test('detects records cut off at the end, up to the last signature', () => {
  const { db, recorder } = store();
  record(recorder, CHECKPOINT_EVERY);
  db.exec(`DELETE FROM events WHERE link > ${CHECKPOINT_EVERY - 3}`);
  expect(checked(db).problems).toMatchObject([
    {
      link: CHECKPOINT_EVERY - 2,
      what: 'missing',
      message: expect.stringContaining(`to ${CHECKPOINT_EVERY} are`),
    },
    { what: 'session' },
  ]);
});

test('forgetting and pruning leave signed gaps and the chain continues', () => {
  const { db, recorder } = store();
  record(recorder, 4, 'kept');
  record(recorder, 3, 'secret');
  record(recorder, 2, 'kept');
  record(recorder, 2, 'secret');
  forget(db, { session: 'secret' }, signer);
  expect(gaps(db)).toEqual([
    [5, 7, 'forgotten'],
    [10, 11, 'forgotten'],
  ]);
  expect(checked(db)).toMatchObject({ records: 6, deleted: 5, lastLink: 11, problems: [] });

  record(recorderOf(db), 1);
  expect(checked(db)).toMatchObject({ records: 7, lastLink: 12, problems: [] });
  prune(db, { days: 1, megabytes: null }, EVERYTHING, signer);
  expect(checked(db)).toMatchObject({ records: 0, deleted: 12, lastLink: 12, problems: [] });
  record(recorderOf(db), 1);
  expect(checked(db)).toMatchObject({ records: 1, deleted: 12, lastLink: 13, problems: [] });
});

test('ignores a gap that was signed with another key or enlarged', () => {
  const { db, recorder } = store();
  record(recorder, 5, 'kept');
  record(recorder, 1, 'secret');
  record(recorder, 1, 'kept');
  forget(db, { session: 'secret' }, signer);
  db.exec('DELETE FROM events WHERE link = 5');
  db.exec('UPDATE chain_gaps SET first_link = 5');
  expect(checked(db).problems).toMatchObject([{ link: 5, what: 'gap' }]);
});

test.each([
  ['without a place', 'NULL, NULL'],
  ['before the first', "-1, 'x'"],
])('detects an event added outside the chain: %s', (_, place) => {
  const { db, recorder } = store();
  record(recorder, 3);
  insertCopy(db, 99, place);
  expect(checked(db).problems).toMatchObject([{ link: 4, what: 'outside' }, SESSION_AT(4)]);
});

test("detects an event with a negative row number, and doesn't count it as older than the chain", () => {
  const { db, recorder } = store();
  record(recorder, 3);
  insertCopy(db, -7, "2, 'x'");
  expect(checked(db).problems).toMatchObject([{ link: 4, what: 'outside' }, SESSION_AT(4)]);
  db.exec('DELETE FROM events WHERE row < 0');
  db.exec('UPDATE events SET row = row + 10');
  insertCopy(db, 1, 'NULL, NULL');
  // As written by a version without the chain, including the event in its session.
  db.exec('UPDATE sessions SET sequence = 4711');
  expect(checked(db).problems).toEqual([]);
  expect(countUnlinked(db)).toBe(1);
});

test.each([
  ['a place beyond all numbers', 99, "9007199254740993, 'x'"],
  ['a row beyond all numbers', '9223372036854775806', "4, 'x'"],
])('detects an event with %s and continues the chain from its own end', (_, row, place) => {
  const { db, recorder } = store();
  record(recorder, 3);
  insertCopy(db, row, place);
  expect(checked(db).problems).toContainEqual(expect.objectContaining({ link: 4, what: 'outside' }));
  expect(lastLink(db).link).toBe(3);
});

test.each([
  ['a trigger', 'trigger t', IGNORING],
  ['a view', 'view v', 'CREATE VIEW v AS SELECT 1'],
  ['an index less', 'index events_by_session', 'DROP INDEX events_by_session'],
  [
    'events as a view',
    'view events',
    'ALTER TABLE events RENAME TO e; CREATE VIEW events AS SELECT * FROM e',
  ],
])('reports a database with %s as altered', (_, part, sql) => {
  const { db, recorder } = store();
  record(recorder, 3);
  db.exec(sql);
  const message = expect.stringContaining(`The ${part} of the database`);
  expect(checked(db).problems).toContainEqual({ link: 4, what: 'schema', message });
});

test('compares the last record with the last acknowledged one', () => {
  const { db, recorder } = store();
  record(recorder, 3);
  const noted = lastLink(db);
  expect(verifyStore(db, keys.publicKey, noted).problems).toEqual([]);
  db.exec("UPDATE events SET decision = 'allow' WHERE link = 3");
  rehash(db);
  expect(checked(db).problems).toEqual([]);
  expect(verifyStore(db, keys.publicKey, noted).problems).toMatchObject([{ link: 3, what: 'changed' }]);
});

test('two processes write one chain, and a cut-off part is reported as missing', () => {
  const { db, recorder } = store();
  record(recorder, 2);
  const other = recorderOf(db);
  record(other, 2, 's2');
  record(recorder, 1);
  record(other, 1, 's2');
  expect(checked(db)).toMatchObject({ records: 6, lastLink: 6, problems: [] });
  db.exec('DELETE FROM events WHERE link > 4');
  record(other, 1, 's2');
  expect(checked(db).problems).toMatchObject([{ link: 5, what: 'missing' }, SESSION_AT(8)]);
});

test("an event that wasn't stored gets no place", async () => {
  const { db, recorder } = store();
  record(recorder, 2);
  const event = recorder.place({ ...prompt(), id: 'once' });
  expect(recorder.commit(call(event))).toBe(true);
  expect(recorder.commit(call(event))).toBe(false);
  db.exec(
    `CREATE TEMP TRIGGER bad BEFORE INSERT ON events WHEN NEW.id = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END`,
  );
  const events = ['a', 'bad', 'b'].map((id) => recorder.place({ ...prompt(), id }));
  await Promise.allSettled(events.map((one) => recorder.commitSoon(call(one))));
  expect(checked(db)).toMatchObject({ records: 5, lastLink: 5, problems: [] });
});

function store() {
  const db = openStore(scratchPath());
  onTestFinished(() => db.close());
  return { db, recorder: recorderOf(db) };
}

function recorderOf(db: Database): StoreRecorder {
  return createRecorder(db, { redact: (text) => text, signer });
}

function record(recorder: StoreRecorder, count: number, session = 's1'): void {
  for (let at = 0; at < count; at += 1) {
    const event = recorder.place(beforeTool(`rm -r ${at}\0é\u{1F600}`, `u${at}`, session));
    expect(recorder.commit(call(event, { response: deny('No.'), latencyMs: at / 3 }))).toBe(true);
  }
}

function checked(db: Database) {
  return verifyStore(db, keys.publicKey);
}

/** A copy of the first record, as a forger would write it. */
function insertCopy(db: Database, row: number | string, place: string): void {
  const others = EVENT_COLUMNS.filter((column) => column !== 'id' && column !== 'sequence').join(', ');
  db.exec(`INSERT INTO events (row, id, sequence, link, hash, ${others})
    SELECT ${row}, 'invented', 4711, ${place}, ${others} FROM events WHERE link = 1`);
}

function gaps(db: Database) {
  return db
    .prepare('SELECT * FROM chain_gaps ORDER BY first_link')
    .all()
    .map((row) => [row.first_link, row.last_link, row.reason]);
}

/** What an attacker could do with the database but without the key. */
function rehash(db: Database): void {
  let before = START.hash;
  for (const item of [...readChain(db, WHOLE_CHAIN)]) {
    if (item.kind !== 'record') continue;
    before = hashRecord(before, item.values);
    db.prepare('UPDATE events SET hash = ? WHERE link = ?').run(before, item.link);
  }
}
