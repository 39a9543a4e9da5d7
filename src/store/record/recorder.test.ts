import { expect, onTestFinished, test } from 'vitest';
import {
  afterTool,
  base,
  beforeTool,
  call,
  permission,
  prompt,
  scratchPath,
} from '../../../test/support/store/store.ts';
import type { HookEvent } from '../../model/events.ts';
import type { CallRecord, Opinion, Recorder } from '../../model/recording.ts';
import { deny } from '../../model/responses.ts';
import { redact } from '../../redact/redact.ts';
import type { Database } from '../database/driver.ts';
import { openStore } from '../database/open.ts';
import { listEvents, listSessions } from '../read/queries.ts';
import { createRecorder } from './recorder.ts';

test('counts sequence, prompt and tool numbers per session', () => {
  const { recorder } = store();
  const places = [
    { ...base(), type: 'setup', trigger: 'start' } satisfies HookEvent,
    prompt(),
    beforeTool('ls', 'u1'),
    beforeTool('pwd', 'u2'),
    prompt('other'),
    afterTool('ls', 'u1'),
    { ...prompt(), agentId: 'sub' },
    prompt(),
  ].map((event) => numbers(keep(recorder, event)));
  expect(places).toEqual([
    [1, 0, 0],
    [2, 1, 0],
    [3, 1, 1],
    [4, 1, 2],
    [1, 1, 0],
    [5, 1, 1],
    [6, 1, 2],
    [7, 2, 2],
  ]);
});

const SECRET = `ghp_${'a1B2c3'.repeat(6)}`;

test.each([
  ['now', false],
  ['after a restart', true],
])('stores no ID with a secret in it, but related events stay linked, %s', (_, restart) => {
  const { db } = store();
  const recorder = createRecorder(db, { redact });
  const session = `s-${SECRET}`;
  const named = (event: HookEvent): HookEvent =>
    'tool' in event ? Object.assign(event, { tool: { ...event.tool, name: `mcp__x__${SECRET}` } }) : event;
  keep(recorder, beforeTool('ls', `u1-${SECRET}`, session));
  keep(recorder, named(beforeTool('pwd', null, session)));
  keep(recorder, beforeTool('ls', 'u', `other-${SECRET}`));
  const now = restart ? createRecorder(db, { redact }) : recorder;
  expect(numbers(keep(now, afterTool('ls', `u1-${SECRET}`, session)))).toEqual([3, 0, 1]);
  expect(numbers(keep(now, named(afterTool('pwd', null, session))))).toEqual([4, 0, 2]);
  expect(listSessions(db)).toHaveLength(2);
  expect(JSON.stringify(db.prepare('SELECT * FROM events').all())).not.toContain(SECRET);
  expect(JSON.stringify(db.prepare('SELECT * FROM sessions').all())).not.toContain(SECRET);
});

test('the same session ID from two agents makes two sessions', () => {
  const { recorder } = store();
  keep(recorder, prompt());
  expect(keep(recorder, { ...prompt(), source: 'codex' }).sequence).toBe(1);
});

test.each([
  ['now', false],
  ['after a restart', true],
])('an event without a call ID gets the number of the newest similar call, %s', (_, restart) => {
  const { db, recorder } = store();
  keep(recorder, beforeTool('ls', 'u1'));
  keep(recorder, beforeTool('pwd', 'u2'));
  keep(recorder, { ...beforeTool('id', 'u3'), agentId: 'sub' });
  const now = restart ? recorderOf(db) : recorder;
  expect(keep(now, permission('ls')).toolNumber).toBe(1);
  expect(keep(now, permission('something rewritten')).toolNumber).toBe(2);
  expect(keep(now, afterTool('ls', 'u2')).toolNumber).toBe(2);
  expect(keep(now, afterTool('ls', 'never announced')).toolNumber).toBe(4);
});

test.each([
  ['now', false],
  ['after a restart', true],
])('a call whose start was never reported gets its own number, %s', (_, restart) => {
  const { db, recorder } = store();
  keep(recorder, beforeTool('ls', null));
  expect(keep(recorder, afterTool('ls', null)).toolNumber).toBe(1);
  const now = restart ? recorderOf(db) : recorder;
  // The similar call has ended, so this is another one.
  expect(keep(now, afterTool('ls', null)).toolNumber).toBe(2);
  expect(keep(now, permission('pwd')).toolNumber).toBe(3);
  expect(keep(now, afterTool('pwd', null)).toolNumber).toBe(3);
  expect(keep(now, afterTool('id', 'u9')).toolNumber).toBe(4);
  expect(keep(now, beforeTool('ls', 'u10')).toolNumber).toBe(5);
  expect(listSessions(db)).toMatchObject([{ toolNumber: 5 }]);
});

test('a reused ID refers to the newest call', () => {
  const { recorder } = store();
  keep(recorder, beforeTool('ls', 'call_0'));
  keep(recorder, beforeTool('ls', 'call_0'));
  expect(keep(recorder, afterTool('ls', 'call_0')).toolNumber).toBe(2);
});

test('committing an ID again changes nothing and takes no place', () => {
  const { db, recorder } = store();
  const event = keep(recorder, prompt());
  const again = recorder.place(event);
  expect(recorder.commit(call(again, { response: deny('no'), deferred: 'later' }))).toBe(false);
  expect(listEvents(db)).toMatchObject([{ id: event.id, sequence: 1, response: { decision: 'none' } }]);
  expect(recorder.waitingContext('claude', 's1')).toEqual([]);
  expect(numbers(keep(recorder, prompt()))).toEqual([2, 2, 0]);
});

test('an event whose place was taken is stored after the others', () => {
  const { db, recorder } = store();
  const late = recorder.place(prompt());
  const other = recorderOf(db);
  keep(other, prompt());
  keep(other, prompt());
  expect(recorder.commit(call(late))).toBe(true);
  expect(listEvents(db).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(listEvents(db).map(({ event }) => event.sequence)).toEqual([1, 2, 3]);
  expect(numbers(keep(recorder, prompt()))).toEqual([4, 3, 0]);
});

test('context stays pending for its session until an answer carries it', () => {
  const { db, recorder } = store();
  recorder.commit(call(recorder.place(prompt()), { deferred: 'one' }));
  recorder.commit(call(recorder.place(prompt()), { deferred: 'two\nlines' }));
  recorder.commit(call(recorder.place(prompt('other')), { deferred: 'elsewhere' }));
  const waiting = recorderOf(db).waitingContext('claude', 's1');
  expect(waiting.map(({ text }) => text)).toEqual(['one', 'two\nlines']);
  const delivered = waiting.slice(0, 1).map(({ id }) => id);
  recorder.commit(call(recorder.place(prompt()), { delivered }));
  expect(recorder.waitingContext('claude', 's1').map(({ text }) => text)).toEqual(['two\nlines']);
  expect(recorder.waitingContext('claude', 'other').map(({ text }) => text)).toEqual(['elsewhere']);
});

test('a commit that fails halfway stores nothing', () => {
  const { db, recorder } = store();
  db.exec('DROP TABLE waiting_context');
  expect(() => recorder.commit(call(recorder.place(prompt()), { deferred: 'x' }))).toThrow(/waiting_context/);
  expect(listEvents(db)).toEqual([]);
  expect(listSessions(db)).toEqual([]);
});

test('no secret reaches the file, wherever it appears', () => {
  const { db } = store();
  const recorder = createRecorder(db, { redact: (text) => text.replaceAll('hunter2', '[secret]') });
  const event: HookEvent = {
    ...beforeTool('echo hunter2'),
    cwd: '/hunter2',
    native: { deep: ['hunter2'] },
    metadata: { note: 'hunter2' },
  };
  const opinion: Opinion = { kind: 'rule', by: 'r', where: null, response: deny('hunter2') };
  recorder.commit(
    call(recorder.place(event), {
      response: deny('saw hunter2'),
      opinions: [opinion],
      degraded: [{ effect: 'halt', reason: 'hunter2' }],
      answer: { action: 'block_with_stderr', stderr: 'hunter2' },
      deferred: 'hunter2',
    }),
  );
  const dump = ['events', 'sessions', 'waiting_context'].map((table) =>
    db.prepare(`SELECT * FROM ${table}`).all(),
  );
  expect(JSON.stringify(dump)).not.toContain('hunter2');
  expect(JSON.stringify(dump).match(/\[secret\]/g)).toHaveLength(12);
  expect(recorder.waitingContext('claude', 's1')).toMatchObject([{ text: '[secret]' }]);
});

test.each<[string, (text: string) => string]>([
  ['cuts JSON apart', (text) => text.replaceAll('hunter2"', '[secret]')],
  [
    'throws',
    (text) => {
      if (text.includes('hunter2')) throw new RangeError('too much');
      return text;
    },
  ],
])('with a redactor that %s, the row stays readable and has no secret', (_, redact) => {
  const { db } = store();
  const recorder = createRecorder(db, { redact });
  const event: HookEvent = { ...beforeTool('echo hunter2'), native: 'hunter2' };
  recorder.commit(call(recorder.place(event), { response: deny('hunter2') }));
  expect(JSON.stringify(db.prepare('SELECT * FROM events').all())).not.toContain('hunter2"');
  expect(listEvents(db)).toMatchObject([
    { id: event.id, type: 'before_tool', tool: { name: 'Bash' }, response: { decision: 'deny' } },
  ]);
});

test("an event that can't be JSON is stored without it and says so", () => {
  const { db, recorder } = store();
  let deep: unknown[] = [];
  for (let i = 0; i < 200_000; i++) deep = [deep];
  keep(recorder, { ...prompt(), native: deep });
  const tool = { ...beforeTool('ls', 'u1') };
  if (tool.type !== 'before_tool') throw new Error('not a tool event');
  recorder.commit({
    ...call(recorder.place({ ...tool, native: deep, tool: { ...tool.tool, input: { deep } } })),
    response: { decision: 'deny', modifyArgs: { deep } },
    answer: { action: 'json_output', stdout_json: { deep } },
  });
  expect(listEvents(db)).toMatchObject([
    { native: null, event: { prompt: 'hello', metadata: { problem: expect.any(String) } } },
    {
      native: null,
      event: { type: 'before_tool', sequence: 2, metadata: { problem: expect.any(String) } },
      tool: { name: 'Bash', useId: 'u1', input: {} },
      response: { decision: 'deny', metadata: { problem: expect.any(String) } },
      answer: null,
    },
  ]);
});

test('IDs that SQLite would truncate or change stay distinct', () => {
  const { db, recorder } = store();
  for (const session of ['a\0b', 'a\0c', 'a', 'a\ud800', 'a\ud801']) keep(recorder, prompt(session));
  const places = listEvents(db).map(({ sessionId, sequence }) => [sessionId, sequence]);
  expect(places).toEqual([
    ['a\uFFFDb', 1],
    ['a\uFFFDc', 1],
    ['a', 1],
    ['a\uFFFD', 1],
    ['a\uFFFD', 2],
  ]);
});

test('a session begins, ends and is resumed', () => {
  const { db, recorder } = store();
  const at = (event: HookEvent, timestamp: number) => keep(recorder, { ...event, timestamp });
  at({ ...base(), type: 'session_start', trigger: 'startup', model: null, title: null }, 100);
  at({ ...base(), cwd: '/moved', type: 'session_end', reason: 'exit' }, 200);
  expect(listSessions(db)).toMatchObject([
    { startedAt: 100, lastAt: 200, endedAt: 200, cwd: '/moved', sequence: 2 },
  ]);
  at({ ...base(), cwd: null, type: 'session_start', trigger: 'resume', model: null, title: null }, 300);
  expect(listSessions(db)).toMatchObject([{ startedAt: 100, lastAt: 300, endedAt: null, cwd: '/moved' }]);
});

function store(): { db: Database; recorder: Recorder } {
  const db = openStore(scratchPath());
  onTestFinished(() => db.close());
  return { db, recorder: recorderOf(db) };
}

function recorderOf(db: Database): Recorder {
  return createRecorder(db, { redact: (text) => text });
}

function keep(recorder: Recorder, event: HookEvent): HookEvent {
  const record: CallRecord = call(recorder.place(event));
  expect(recorder.commit(record)).toBe(true);
  return record.event;
}

function numbers({ sequence, promptNumber, toolNumber }: HookEvent): number[] {
  return [sequence, promptNumber, toolNumber];
}

test('builds the row of a large call in a worker, and here if that fails', async () => {
  const db = openStore(scratchPath());
  onTestFinished(() => db.close());
  const asked: string[] = [];
  const rowElsewhere = (record: CallRecord) => {
    asked.push(record.event.id);
    return Promise.reject(new Error('no thread'));
  };
  const recorder = createRecorder(db, { redact: (text) => text.replaceAll('hunter2', '…'), rowElsewhere });
  const small = recorder.place(beforeTool('echo hunter2'));
  const large = recorder.place({
    ...beforeTool('echo hunter2'),
    native: { text: ['hunter2'.repeat(60_000)] },
  });
  const storing = [large, small].map((event) => recorder.commitSoon(call(event)));
  expect(await Promise.all(storing)).toEqual([true, true]);
  expect(asked).toEqual([large.id]);
  const stored = listEvents(db);
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain('hunter2');
});
