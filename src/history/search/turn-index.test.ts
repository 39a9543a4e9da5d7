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

test('turns are in the order of time, although those from before the index are made from the end', () => {
  const { db } = filled();
  const prompts = () =>
    db
      .prepare('SELECT prompt FROM turns ORDER BY row')
      .all()
      .map((row) => row.prompt);
  const before = prompts();
  db.exec(`DELETE FROM turns; DELETE FROM turns_due;
    UPDATE turns_indexed SET backlog_row = (SELECT max(row) FROM observations)`);
  const index = createTurnIndex(db);
  while (index.backlogStep());
  expect(prompts()).toEqual(before);
});

test('a turn of very many calls keeps its outcome, and is found by it', () => {
  const history = openTestHistory();
  const [prompt = {}, ...rest] = turn('s1', 'Try every zebrafish');
  const stop = rest.at(-1) ?? {};
  history.send('claude', prompt);
  const common = { session_id: 's1', transcript_path: '', cwd: '/project' };
  for (let at = 0; at < 1_010; at++) {
    const tool = { tool_name: 'Read', tool_input: { file_path: `/project/f${at}` }, tool_use_id: `r${at}` };
    history.send('claude', { ...common, hook_event_name: 'PostToolUse', ...tool, tool_response: {} });
  }
  history.send('claude', { ...stop, last_assistant_message: 'The giraffe won.' });
  history.observe();
  expect(history.db.prepare('SELECT prompt, outcome FROM turns').all()).toEqual([
    { prompt: 'Try every zebrafish', outcome: 'The giraffe won.' },
  ]);
  expect(search(history.db, { text: 'giraffe' }, NOW)).toMatchObject([{ observation: { kind: 'turn_end' } }]);
  expect(search(history.db, { text: 'f1005', kind: 'file' }, NOW)).toMatchObject([
    { observation: { kind: 'file', path: 'f1005' } },
  ]);
});

test('a turn is read by an index of its own, whatever else its session has', () => {
  const { db } = filled();
  const select = 'SELECT row FROM observations WHERE session_id = ? AND source = ? AND prompt_number = ?';
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${select}`).all('s1', 'claude', 1);
  expect(String(plan[0]?.detail)).toContain('(session_id=? AND source=? AND prompt_number=?)');
});
