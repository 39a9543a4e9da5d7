import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openTestHistory, turn } from '../../test/support/history/history.ts';
import { closeStore } from '../store/database/open.ts';
import { compact, forget, prune } from '../store/forget.ts';
import { listEvents, listSessions } from '../store/read/queries.ts';
import { toBrief } from './calls/event-brief.ts';
import { fileHistory, listObservations } from './observations/stored-observation.ts';
import { search } from './search/search.ts';
import { readSession } from './sessions/story.ts';
import { summarise, summaryLine } from './sessions/summary.ts';
import { readStats } from './stats.ts';

const NOW = 1_700_000_100_000;

function filled() {
  const history = openTestHistory();
  for (const payload of turn('s1', 'Fix the auth bug')) history.send('claude', payload);
  for (const payload of turn('s2', 'Paint the button blue', 'web/button.css'))
    history.send('claude', payload);
  history.observe();
  return history;
}

/** The chain is not verified here. */
const unsigned = { sign: () => '' };

test('what is observed once is not observed again, and what was not is', () => {
  const history = filled();
  const before = listObservations(history.db, {}).length;
  history.observe();
  expect(listObservations(history.db, {})).toHaveLength(before);
  history.send('claude', turn('s1', 'And one more')[0] ?? {});
  history.observe();
  expect(listObservations(history.db, {})).toHaveLength(before + 1);
});

test('a search finds words, forms of words and phrases, the best first', () => {
  const { db } = filled();
  const found = search(db, { text: 'auth bug' }, NOW);
  expect(found[0]?.observation).toMatchObject({ kind: 'intent', prompt: { text: 'Fix the auth bug' } });
  expect(found[0]?.snippet).toEqual({
    text: 'Fix the auth bug',
    marks: [
      [8, 12],
      [13, 16],
    ],
  });
  expect(found.map(({ sessionId }) => sessionId)).not.toContain('s2');
  expect(search(db, { text: 'fixing bugs' }, NOW)).not.toEqual([]);
  expect(search(db, { text: '"bug auth"' }, NOW)).toEqual([]);
  expect(search(db, { text: 'butt*' }, NOW)).not.toEqual([]);
  expect(search(db, { text: 'AND OR NOT "' }, NOW)).toEqual([]);
});

test('a search is narrowed by agent, time, kind, project and file', () => {
  const { db } = filled();
  const text = 'test';
  expect(search(db, { text, source: 'claude' }, NOW).length).toBeGreaterThan(0);
  expect(search(db, { text, source: 'unknown' }, NOW)).toEqual([]);
  expect(search(db, { text, since: NOW + 1 }, NOW)).toEqual([]);
  expect(search(db, { text, project: '/elsewhere' }, NOW)).toEqual([]);
  expect(
    new Set(search(db, { text: 'npm', kind: 'command' }, NOW).map((hit) => hit.observation.kind)),
  ).toEqual(new Set(['command']));
  const inWeb = search(db, { text: 'npm', file: 'web/**' }, NOW);
  expect(new Set(inWeb.map(({ sessionId }) => sessionId))).toEqual(new Set(['s2']));
});

test.each([
  ['web/**', true],
  ['./web/**', true],
  ['**/*.css', true],
  ['*.css', true],
  ['button.css', true],
  ['{src,web}/*.{css,html}', true],
  ['web/button.cs[a-z]', true],
  ['web/butto?.css', true],
  ['web/*.html', false],
  ['src/**', false],
  ['/web/**', false],
  ['web', false],
])('a search for turns that touched %s finds web/button.css: %s', (file, isFound) => {
  const sessions = search(filled().db, { text: 'npm', file }, NOW).map(({ sessionId }) => sessionId);
  expect(sessions.includes('s2')).toBe(isFound);
});

test('a session in one line, and in full', () => {
  const { db } = filled();
  const [session] = listSessions(db).filter(({ sessionId }) => sessionId === 's1');
  if (!session) throw new Error('no session');
  expect(summaryLine(summarise(db, session))).toBe(
    'Fix the auth bug · 1 file changed, 1 command, tests failing (1 run), 1 error',
  );
  const story = readSession(db, 's1');
  expect(story?.timeline.map(({ observation }) => observation.kind)).toEqual([
    'intent',
    'command',
    'error',
    'file',
    'turn_end',
  ]);
  expect(readSession(db, 'nothing')).toBeNull();
});

test('the history of a file has who changed it from what to what', () => {
  const { db } = filled();
  for (const name of ['src/login.ts', 'login.ts']) {
    expect(fileHistory(db, name, 5)).toMatchObject([
      { sessionId: 's1', observation: { kind: 'file', before: { text: 'old' }, after: { text: 'new' } } },
    ]);
  }
  expect(fileHistory(db, '%', 5)).toEqual([]);
});

test('numbers', () => {
  const { db } = filled();
  expect(readStats(db, {})).toMatchObject({
    events: 12,
    sessions: 2,
    prompts: 2,
    tools: [
      { name: 'Bash', n: 2, failed: 2 },
      { name: 'Edit', n: 2, failed: 0 },
    ],
    files: [
      { name: 'src/login.ts', n: 1 },
      { name: 'web/button.css', n: 1 },
    ],
  });
  expect(readStats(db, { since: NOW + 1 }).events).toBe(0);
});

test('deleted history is in no table, index or file', () => {
  const history = openTestHistory();
  for (const payload of turn('s1', 'Wilhelmina wants a zyxwvut')) history.send('claude', payload);
  for (const payload of turn('s2', 'Another prompt')) history.send('claude', payload);
  history.observe();
  expect(forget(history.db, { match: 'zyxwvut' }, unsigned)).toMatchObject({ events: 2 });
  expect(search(history.db, { text: 'zyxwvut' }, NOW)).toEqual([]);
  expect(forget(history.db, { session: 's1' }, unsigned)).toEqual({ events: 4, sessions: 1 });
  expect(listSessions(history.db).map(({ sessionId }) => sessionId)).toEqual(['s2']);
  compact(history.db);
  closeStore(history.db);
  expect(readFileSync(history.path).includes('zyxwvut')).toBe(false);
});

test('rows that are given again are observed again', () => {
  const history = filled();
  forget(history.db, { project: '/project' }, unsigned);
  for (const payload of turn('s3', 'A new beginning')) history.send('claude', payload);
  history.observe();
  expect(search(history.db, { text: 'beginning' }, NOW)).not.toEqual([]);
});

test('what is too old or too much goes, the oldest first', () => {
  const history = openTestHistory();
  const day = 86_400_000;
  for (const payload of turn('old', 'Long ago')) history.send('claude', payload, NOW - 40 * day);
  for (const payload of turn('new', 'Just now')) history.send('claude', payload, NOW);
  history.observe();
  expect(prune(history.db, { days: null, megabytes: null }, NOW, unsigned)).toEqual({
    events: 0,
    sessions: 0,
  });
  expect(prune(history.db, { days: 30, megabytes: null }, NOW, unsigned)).toEqual({ events: 6, sessions: 1 });
  expect(prune(history.db, { days: null, megabytes: 0.001 }, NOW, unsigned).events).toBe(6);
});

test('a huge file that was written is cut in the row too, and its observation has the hash of the whole', () => {
  const history = openTestHistory();
  const content = `const a = 1;\n${'x'.repeat(300_000)}`;
  history.send('claude', {
    session_id: 's',
    cwd: '/project',
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_use_id: 'u1',
    tool_input: { file_path: '/project/big.ts', content },
    tool_response: {
      type: 'create',
      filePath: '/project/big.ts',
      content,
      structuredPatch: [],
      originalFile: null,
    },
  });
  history.observe();
  const row = history.db.prepare('SELECT length(event) AS event, length(native) AS native FROM events').get();
  expect(Number(row?.event)).toBeLessThan(100_000);
  expect(Number(row?.native)).toBeLessThan(100_000);
  const [file] = listObservations(history.db, {});
  expect(file?.observation).toMatchObject({
    kind: 'file',
    change: 'create',
    after: { length: content.length, hash: createHash('sha256').update(content).digest('hex') },
  });
});

test('what a client dates is at that time everywhere, also where it came late', () => {
  const { db, send, observe } = openTestHistory();
  const then = NOW - 3_600_000;
  const prompt = {
    hook_event_name: 'BeforeAgent',
    prompt: 'Paint the fence',
    timestamp: new Date(then).toISOString(),
  };
  send('gemini', { session_id: 'g', transcript_path: '', cwd: '/project', ...prompt }, NOW);
  observe();
  expect(listObservations(db, {}).map(({ timestamp }) => timestamp)).toEqual([then]);
  expect(listEvents(db).map((event) => toBrief(event).timestamp)).toEqual([then]);
  expect(listEvents(db, { since: then + 1 })).toEqual([]);
  expect(search(db, { text: 'fence', since: then + 1 }, NOW)).toEqual([]);
  expect(search(db, { text: 'fence', until: then + 1 }, NOW)).toMatchObject([{ timestamp: then }]);
});
