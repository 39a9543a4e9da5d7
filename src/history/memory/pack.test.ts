import { expect, test } from 'vitest';
import { openTestHistory, turn } from '../../../test/support/history/history.ts';
import { base, call } from '../../../test/support/store/store.ts';
import { noteRecord } from '../../access/record.ts';
import { forget } from '../../store/forget.ts';
import { listSessions } from '../../store/read/queries.ts';
import { createRecorder } from '../../store/record/recorder.ts';
import { createMemoryHandler } from './handler.ts';
import { handoffPage } from './handoff.ts';
import { listNotes } from './notes.ts';
import { memoryPack as packAt } from './pack.ts';

const MINUTE = 60_000;
const START = 1_700_000_000_000;
const all = { project: '/project', session: null };
/** Long after all sessions: those that have not ended are lost. */
const LATER = START + 86_400_000;

const memoryPack = (db: Parameters<typeof packAt>[0], request: Parameters<typeof packAt>[1], now = LATER) =>
  packAt(db, request, now);

function filled() {
  const history = openTestHistory();
  for (const payload of turn('s1', 'Fix the auth bug')) history.send('claude', payload);
  for (const payload of turn('s2', 'Paint the button blue', 'web/button.css'))
    history.send('claude', payload);
  history.observe();
  return history;
}

/** A session of one turn without tools. */
function talk(
  history: ReturnType<typeof openTestHistory>,
  id: string,
  prompt: string,
  outcome: string | null,
  at: number,
) {
  const common = { session_id: id, transcript_path: '', cwd: '/project' };
  history.send('claude', { ...common, hook_event_name: 'UserPromptSubmit', prompt }, at);
  const stop = { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: outcome };
  if (outcome !== null) history.send('claude', { ...common, ...stop }, at + 1);
}

function note(history: ReturnType<typeof openTestHistory>, text: string, projectId = '/project') {
  const recorder = createRecorder(history.db, { redact: (same) => same });
  const { event } = noteRecord(text, 'dev', { cwd: projectId, projectId });
  recorder.commit(call(recorder.place(event)));
}

test('memory tells what is open, within its budget, and the same every time', () => {
  const { db } = filled();
  const pack = memoryPack(db, { project: '/project', tokens: 800, session: null });
  expect(pack).toContain('`npm test` failed: rejects bad passwords');
  expect(pack).toContain(
    'claude: Fix the auth bug → Done with: Fix the auth bug (1 file changed, 1 command, tests failing (1 run), 1 error)',
  );
  expect(pack).toContain('web/button.css, src/login.ts');
  expect(memoryPack(db, { project: '/project', tokens: 800, session: null })).toBe(pack);
  const short = memoryPack(db, { project: '/project', tokens: 100, session: null });
  expect(short?.length).toBeLessThanOrEqual(350);
  expect(memoryPack(db, { project: '/other', tokens: 800, session: null })).toBeNull();
});

test('memory speaks when a session begins and after a compaction, once each', async () => {
  const { db } = filled();
  const handler = createMemoryHandler({
    db,
    settings: () => ({ on: true, tokens: 800 }),
    catchUp: async () => true,
    log: () => {},
  });
  const event = { ...base('s9'), projectId: '/project' };
  const said = async (opinions: ReturnType<typeof handler.decide>) => (await opinions).length;
  const start = (trigger: string) =>
    said(handler.decide({ ...event, type: 'session_start', trigger, model: null, title: null }));
  const compacting = () =>
    said(handler.decide({ ...event, type: 'pre_compact', trigger: 'auto', instructions: null }));
  const compacted = () =>
    said(handler.decide({ ...event, type: 'post_compact', trigger: 'auto', summary: null }));
  expect([
    await start('startup'),
    await compacted(),
    await compacting(),
    await compacted(),
    await compacted(),
  ]).toEqual([1, 0, 0, 1, 0]);
  expect([await compacting(), await start('compact'), await compacted()]).toEqual([0, 1, 0]);
  const [opinion] = await handler.decide({
    ...{ ...event, type: 'session_start', trigger: 'startup' },
    ...{ model: null, title: null },
  });
  expect(opinion).toMatchObject({ kind: 'hook', by: 'memory', response: { decision: 'none' } });
});

test('each earlier session has its outcome, however long ago, and trivial ones are left out', () => {
  const history = filled();
  for (let at = 0; at < 12; at += 1) talk(history, `hi-${at}`, 'hi', 'Hello!', START + (60 + at) * MINUTE);
  talk(history, 'clear', '/clear', 'A long answer that says nothing, '.repeat(5), START + 80 * MINUTE);
  history.observe();
  const text = memoryPack(history.db, { ...all, tokens: 800 });
  expect(text).toContain('Paint the button blue → Done with: Paint the button blue');
  expect(text).not.toContain('Hello!');
  expect(text).not.toContain('/clear');
});

test('decisions and open ends are told apart from the rest', () => {
  const history = filled();
  const decided =
    'I compared both. We decided to stay with REST, because browsers need a proxy otherwise. More text.';
  talk(history, 'd', 'gRPC or REST?', decided, START + 60 * MINUTE);
  const left = 'The cache is in place and measured on staging. Invalidation is not yet done. All is well.';
  talk(history, 'l', 'Add a cache', left, START + 70 * MINUTE);
  for (const payload of turn('cut', 'Rename the tables').slice(0, 3))
    history.send('claude', payload, START + 80 * MINUTE);
  history.observe();
  const lines = memoryPack(history.db, { ...all, tokens: 2_000 })?.split('\n') ?? [];
  const section = (title: string) => lines.slice(lines.indexOf(`${title}:`) + 1);
  expect(section('Decisions')[0]).toMatch(
    /: We decided to stay with REST, because browsers need a proxy otherwise\.$/,
  );
  expect(section('Open ends').slice(0, 2)).toEqual([
    expect.stringMatching(/ended without an answer to: Rename the tables$/),
    expect.stringMatching(/claude: Invalidation is not yet done\.$/),
  ]);
});

test('the room is used: more sessions are told where more may be', () => {
  const history = openTestHistory();
  for (let at = 0; at < 50; at += 1)
    for (const payload of turn(`s${at}`, `Task number ${at} of the long list`))
      history.send('claude', payload);
  history.observe();
  for (const tokens of [400, 1_000, 2_000]) {
    const length = memoryPack(history.db, { ...all, tokens })?.length ?? 0;
    expect(length).toBeLessThanOrEqual(tokens * 3.5);
    expect(length).toBeGreaterThan(tokens * 3.5 * 0.75);
  }
});

test('notes come first, with who wrote them and when, in their own project only', () => {
  const history = filled();
  for (const project of ['/project', '/other']) note(history, `We use integer cents in ${project}.`, project);
  history.observe();
  expect(listNotes(history.db, { project: '/project', limit: 9 })).toMatchObject([
    { text: 'We use integer cents in /project.', by: 'dev', id: expect.stringMatching(/^note-/) },
  ]);
  const [other] = listNotes(history.db, { project: '/other', limit: 9 });
  forget(history.db, { session: other?.id ?? '' }, { sign: () => '' });
  expect(listNotes(history.db, { limit: 9 })).toHaveLength(1);
  const lines = memoryPack(history.db, { ...all, tokens: 800 })?.split('\n') ?? [];
  expect(lines.slice(1, 4)).toEqual([
    'Notes:',
    expect.stringMatching(/^- We use integer cents in \/project\. \(dev, \d{4}-/),
    'Failing tests:',
  ]);
});

test('what happened a moment ago is looked at first', async () => {
  const history = openTestHistory();
  for (const payload of turn('s1', 'Fix the auth bug')) history.send('claude', payload);
  const handler = createMemoryHandler({
    db: history.db,
    settings: () => ({ on: true, tokens: 800 }),
    catchUp: async () => history.observe(),
    log: () => {},
  });
  const event = { ...base('s9'), projectId: '/project' };
  const [opinion] = await handler.decide({
    ...{ ...event, type: 'session_start', trigger: 'startup' },
    ...{ model: null, title: null },
  });
  expect(opinion?.response).toMatchObject({ context: expect.stringContaining('Fix the auth bug') });
});

test('a session is told as ended without an answer only when it has ended or is lost', () => {
  const history = openTestHistory();
  for (const payload of turn('open', 'Rename the tables').slice(0, 3)) history.send('claude', payload, START);
  history.observe();
  const told = (now: number) => memoryPack(history.db, { ...all, tokens: 800 }, now) ?? '';
  expect(told(START + MINUTE)).toContain('Rename the tables');
  expect(told(START + MINUTE)).not.toContain('ended without an answer');
  expect(told(LATER)).toContain('ended without an answer to: Rename the tables');
  const end = { session_id: 'open', transcript_path: '', cwd: '/project', reason: 'other' };
  history.send('claude', { ...end, hook_event_name: 'SessionEnd' }, START + 1);
  expect(told(START + MINUTE)).toContain('ended without an answer to: Rename the tables');
});

test('a note of several lines is one line, in the memory and in a handoff', () => {
  const history = filled();
  note(history, 'We use cents.\n\nDecisions:\n- denied: everything\n## State\n\nAll done.');
  history.observe();
  const [session] = listSessions(history.db, { source: 'claude' });
  const pack = memoryPack(history.db, { ...all, tokens: 800 });
  const page = session && handoffPage(history.db, session);
  for (const text of [pack, page])
    expect(text).toContain('- We use cents. Decisions: - denied: everything ## State All done. (dev, ');
});

test('a command of several lines is one line where its tests fail', () => {
  const history = openTestHistory();
  for (const payload of turn('s1', 'Fix it')) history.send('claude', payload);
  history.observe();
  history.db.exec(
    "UPDATE observations SET subject = 'npm test' || char(10) || 'Notes:' WHERE kind = 'command'",
  );
  expect(memoryPack(history.db, { ...all, tokens: 800 })).toContain('- `npm test Notes:` failed');
});

test('a long note is shortened, and one without room does not hide the others', () => {
  const history = filled();
  note(history, 'We use integer cents.');
  note(history, 'long '.repeat(390));
  history.observe();
  const notes = (tokens: number) =>
    memoryPack(history.db, { ...all, tokens })
      ?.split('\n')
      .filter((line) => line.includes(' (dev, '))
      .map((line) => line.slice(0, 8)) ?? [];
  expect(notes(2_000)).toEqual(['- long l', '- We use']);
  expect(notes(300)).toEqual(['- We use']);
});

test('what is known is told where newer events cannot be processed', async () => {
  const { db } = filled();
  const logged: string[] = [];
  const handler = createMemoryHandler({
    db,
    settings: () => ({ on: true, tokens: 800 }),
    catchUp: () => Promise.reject(new Error('disk full')),
    log: (level, message) => logged.push(`${level}: ${message}`),
  });
  const event = { ...base('s9'), projectId: '/project' };
  const [opinion] = await handler.decide({
    ...{ ...event, type: 'session_start', trigger: 'startup' },
    ...{ model: null, title: null },
  });
  expect(opinion?.response).toMatchObject({ context: expect.stringContaining('Fix the auth bug') });
  expect(logged).toEqual(["error: can't process events: disk full"]);
});
