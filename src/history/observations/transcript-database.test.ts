import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestHistory } from '../../../test/support/history/history.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { redact } from '../../redact/redact.ts';
import { openDatabase } from '../../store/database/driver.ts';
import { readSession } from '../sessions/story.ts';
import { createTranscripts } from './transcripts.ts';

const TABLES = `
  CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
`;

/** The conversations of a client that stores them in a database and has it open. */
function conversations(path: string) {
  const db = openDatabase(path);
  db.exec(TABLES);
  let made = 0;
  const say = (session: string, message: object, ...parts: readonly object[]) => {
    made += 1;
    const id = `msg_${made}`;
    db.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, session, made, JSON.stringify(message));
    for (const [at, part] of parts.entries())
      db.prepare('INSERT INTO part VALUES (?, ?, ?, ?)').run(
        `${id}_${at}`,
        id,
        session,
        JSON.stringify(part),
      );
  };
  const begin = (session: string, parent: string | null) =>
    db.prepare('INSERT INTO session VALUES (?, ?)').run(session, parent);
  return { say, begin, close: () => db.close() };
}

const USER = { role: 'user' };
const MODEL = { role: 'assistant', modelID: 'model-a' };
const text = (said: string) => ({ type: 'text', text: said });
const finish = (input: number) => ({
  type: 'step-finish',
  tokens: { input, output: 5, reasoning: 1, cache: { read: 7, write: 0 } },
  cost: 0.25,
});
const bash = (callID: string, command: string, exit: number) => ({
  type: 'tool',
  tool: 'bash',
  callID,
  state: { status: 'completed', input: { command }, metadata: { exit }, time: { start: Date.now() } },
});

test("reads the last message, tokens, and unreported calls from a client's database", () => {
  const history = openTestHistory();
  const path = join(dirname(history.path), 'opencode.db');
  const base = { session_id: 'ses_1', cwd: '/p', transcript_path: path };
  history.send('opencode', { ...base, hook_event_name: 'chat.message', output: { parts: [text('go')] } });
  history.send('opencode', {
    ...base,
    hook_event_name: 'tool.execute.before',
    input: { tool: 'bash', callID: 'seen' },
    output: { args: { command: 'ls' } },
  });
  history.observe();
  const client = conversations(path);
  client.begin('ses_1', null);
  client.begin('ses_2', 'ses_1');
  client.begin('ses_other', null);
  client.say('ses_1', USER, text('"go there"'), { ...text('added'), synthetic: true });
  client.say('ses_1', MODEL, text('Looking.'), bash('seen', 'ls', 0), finish(100));
  client.say('ses_2', USER, text('look for me'));
  client.say('ses_2', MODEL, text('Found.'), bash('unseen', 'cat secret', 3), finish(10));
  client.say('ses_other', USER, text('not this'));

  const transcripts = createTranscripts(history.db, AGENTS, redact);
  const read = () => transcripts.read({ source: 'opencode', sessionId: 'ses_1', transcriptPath: path });
  read();
  const story = () => readSession(history.db, 'ses_1')?.transcript;
  expect(story()).toMatchObject({ turns: 1, lastMessage: 'Looking.', costUsd: 0.5 });
  expect(story()?.gaps).toMatchObject([{ id: 'unseen', tool: 'bash' }]);

  // It is read again after a write, and nothing is counted twice.
  client.say('ses_1', MODEL, text('All done.'), finish(200));
  transcripts.readOn();
  transcripts.readOn();
  expect(story()).toMatchObject({ turns: 1, lastMessage: 'All done.', costUsd: 0.75 });
  expect(story()).toMatchObject({
    inputTokens: 310,
    outputTokens: 15,
    cacheReadTokens: 21,
    reasoningTokens: 3,
  });
  client.close();
});

test('a database of another version yields nothing, without an error', () => {
  const history = openTestHistory();
  const path = join(dirname(history.path), 'opencode.db');
  openDatabase(path).close();
  const transcripts = createTranscripts(history.db, AGENTS, redact);
  transcripts.read({ source: 'opencode', sessionId: 'ses_1', transcriptPath: path });
  transcripts.read({ source: 'opencode', sessionId: 'ses_1', transcriptPath: `${path}.gone` });
  expect(readSession(history.db, 'ses_1')?.transcript ?? null).toBeNull();
});

test.each(['-journal', '-wal', '-shm'])("doesn't wait for a named pipe at %s of a database", (end) => {
  const history = openTestHistory();
  const path = join(dirname(history.path), 'opencode.db');
  const client = conversations(path);
  client.begin('ses_1', null);
  client.say('ses_1', USER, text('go'));
  client.close();
  history.send('opencode', {
    session_id: 'ses_1',
    cwd: '/p',
    transcript_path: path,
    hook_event_name: 'chat.message',
    output: { parts: [text('go')] },
  });
  const pipe = `${path}${end}`;
  rmSync(pipe, { force: true });
  execFileSync('mkfifo', [pipe]);
  const { read, readOn } = createTranscripts(history.db, AGENTS, redact);
  read({ source: 'opencode', sessionId: 'ses_1', transcriptPath: path });
  expect(readSession(history.db, 'ses_1')?.transcript ?? null).toBeNull();
  // Without its log the database is unreadable.
  if (end !== '-journal') return;
  rmSync(pipe);
  readOn();
  expect(readSession(history.db, 'ses_1')?.transcript).toMatchObject({ path });
});
