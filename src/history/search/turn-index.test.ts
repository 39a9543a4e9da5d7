import { expect, test } from 'vitest';
import { openTestHistory, turn } from '../../../test/support/history/history.ts';
import type { Database } from '../../store/database/driver.ts';
import { compact, forget } from '../../store/forget.ts';
import { search } from './search.ts';
import { createTurnIndex } from './turn-index.ts';

const NOW = 1_700_000_100_000;
const unsigned = { sign: () => '' };
const count = (db: Database, table: string) =>
  Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
const sessionsFor = (db: Database, text: string) =>
  search(db, { text }, NOW).map(({ sessionId }) => sessionId);

function filled() {
  const history = openTestHistory();
  for (const payload of turn('s1', 'Fix the auth bug')) history.send('claude', payload);
  for (const payload of turn('s1', 'Now the logout')) history.send('claude', payload);
  for (const payload of turn('s2', 'Paint the button', 'web/MainButton.css')) history.send('claude', payload);
  history.observe();
  return history;
}

test('a turn is what was asked, what came of it, and what was done in between', () => {
  const { db } = filled();
  expect(db.prepare('SELECT * FROM turns ORDER BY row').all()).toMatchObject([
    {
      ...{ session_id: 's1', prompt_number: 1, project_id: '/project', prompt: 'Fix the auth bug' },
      ...{ outcome: 'Done with: Fix the auth bug', files: 'src/login.ts', commands: 'npm test' },
    },
    { session_id: 's1', prompt_number: 2, prompt: 'Now the logout' },
    { session_id: 's2', prompt_number: 1, parts: 'main button' },
  ]);
});

test('a prompt is found by all of its words, not only those of its beginning', () => {
  const history = openTestHistory();
  for (const payload of turn('s1', `${'Please take care. '.repeat(60)} Then mind the zyxwvut.`))
    history.send('claude', payload);
  history.observe();
  expect(search(history.db, { text: 'zyxwvut' }, NOW)).toMatchObject([
    { sessionId: 's1', snippet: { text: expect.stringContaining('mind the zyxwvut') } },
  ]);
});

test('what is forgotten goes from its turn at once, and the rest of the turn is found again', () => {
  const history = filled();
  forget(history.db, { match: 'rejects bad passwords' }, unsigned);
  expect(count(history.db, 'turns')).toBe(0);
  expect(sessionsFor(history.db, '"passwords"')).toEqual([]);
  expect(sessionsFor(history.db, 'logout')).toEqual(['s1']);
  history.observe();
  expect(count(history.db, 'turns')).toBe(3);
  expect(count(history.db, 'turns_due')).toBe(0);
  expect(sessionsFor(history.db, '"passwords"')).toEqual([]);
});

test('stays sound while turns grow, and keeps no word of a turn that was deleted', () => {
  const history = openTestHistory();
  for (let at = 0; at < 20; at++) {
    for (const payload of turn('s1', at % 2 === 0 ? 'Feed the zebrafish' : 'Feed the giraffes'))
      history.send('claude', payload);
    history.observe();
    expect(history.db.prepare('PRAGMA quick_check(1)').get()).toEqual({ quick_check: 'ok' });
  }
  forget(history.db, { session: 's1' }, unsigned);
  compact(history.db);
  const left = history.db.prepare('SELECT CAST(block AS BLOB) AS block FROM turn_text_data').all();
  expect(left.map(({ block }) => Buffer.from(block as Uint8Array).toString('latin1')).join()).not.toMatch(
    /ebrafish|iraff/,
  );
  expect(history.db.prepare('PRAGMA quick_check(1)').get()).toEqual({ quick_check: 'ok' });
});

test('nothing remains of a session that is forgotten, not even that there was one', () => {
  const history = filled();
  forget(history.db, { session: 's1' }, unsigned);
  expect(count(history.db, 'turns_due')).toBe(0);
  history.observe();
  expect(history.db.prepare('SELECT session_id FROM turns').all()).toEqual([{ session_id: 's2' }]);
});

test('what was there before the index is worked off from its end, and found meanwhile', () => {
  const { db } = filled();
  db.exec(`DELETE FROM turns;
    UPDATE turns_indexed SET backlog_row = (SELECT max(row) FROM observations)`);
  const index = createTurnIndex(db);
  expect(index.step()).toBe(false);
  expect(sessionsFor(db, 'button')).toEqual(['s2']);
  while (index.backlogStep());
  expect(count(db, 'turns')).toBe(3);
  expect(index.backlogStep()).toBe(false);
  expect(sessionsFor(db, 'logout')).toEqual(['s1']);
});
