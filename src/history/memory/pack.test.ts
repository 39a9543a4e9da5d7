import { expect, test } from 'vitest';
import { openTestHistory, turn } from '../../../test/support/history/history.ts';
import { base, call } from '../../../test/support/store/store.ts';
import { noteRecord } from '../../access/record.ts';
import { forget } from '../../store/forget.ts';
import { createRecorder } from '../../store/record/recorder.ts';
import { createMemoryHandler } from './handler.ts';
import { listNotes } from './notes.ts';
import { memoryPack } from './pack.ts';

const MINUTE = 60_000;
const START = 1_700_000_000_000;
const all = { project: '/project', session: null };

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
  const recorder = createRecorder(history.db, { redact: (text) => text });
  for (const projectId of ['/project', '/other']) {
    const { event } = noteRecord(`We use integer cents in ${projectId}.`, 'dev', {
      cwd: projectId,
      projectId,
    });
    recorder.commit(call(recorder.place(event)));
  }
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
  });
  const event = { ...base('s9'), projectId: '/project' };
  const [opinion] = await handler.decide({
    ...{ ...event, type: 'session_start', trigger: 'startup' },
    ...{ model: null, title: null },
  });
  expect(opinion?.response).toMatchObject({ context: expect.stringContaining('Fix the auth bug') });
});
