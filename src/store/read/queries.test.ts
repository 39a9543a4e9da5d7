import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { afterTool, beforeTool, call, prompt, scratchPath } from '../../../test/support/store/store.ts';
import type { HookEvent } from '../../model/events.ts';
import { OWN_SOURCE } from '../../model/people/access.ts';
import type { Opinion, Recorder } from '../../model/recording.ts';
import { allow, deny, type HookResponse } from '../../model/responses.ts';
import type { Database } from '../database/driver.ts';
import { openStore } from '../database/open.ts';
import { createRecorder } from '../record/recorder.ts';
import { toPublicEvent } from './public-event.ts';
import { countEvents, findEvent, listEvents, listSessions } from './queries.ts';

let db: Database;
let recorder: Recorder;

beforeEach(() => {
  const opened = openStore(scratchPath());
  db = opened;
  onTestFinished(() => opened.close());
  recorder = createRecorder(db, { redact: (text) => text });
});

describe('listEvents', () => {
  beforeEach(() => {
    keep({ ...prompt('s1'), id: 'a1' });
    keep({ ...beforeTool('ls', 'u', 's1'), id: 'a2' });
    keep({ ...prompt('s2'), id: 'b1', source: 'codex' });
    keep({ ...afterTool('ls', 'u', 's1'), id: 'a3' });
    keep({ ...beforeTool('pwd', null, 's2'), id: 'b2', source: 'codex' });
  });

  test.each([
    [{}, ['a1', 'a2', 'b1', 'a3', 'b2']],
    [{ session: 's1' }, ['a1', 'a2', 'a3']],
    [{ source: 'codex' }, ['b1', 'b2']],
    [{ session: 's1', source: 'codex' }, []],
    [{ type: 'before_tool' }, ['a2', 'b2']],
    [{ type: 'before_tool', session: 's1' }, ['a2']],
    [{ limit: 2 }, ['a1', 'a2']],
    [{ limit: 2, newest: true }, ['a3', 'b2']],
    [{ session: 's1', limit: 1, newest: true }, ['a3']],
    [{ limit: 0 }, []],
    [{ afterRow: 3 }, ['a3', 'b2']],
    [{ afterRow: 1, limit: 2 }, ['a2', 'b1']],
    [{ afterRow: 99 }, []],
  ] as const)('%o', (page, ids) => {
    expect(listEvents(db, page).map(({ id }) => id)).toEqual(ids);
  });

  test('its rows are cursors for reading on', () => {
    const [, second] = listEvents(db);
    expect(listEvents(db, { afterRow: second?.row ?? 0 }).map(({ id }) => id)).toEqual(['b1', 'a3', 'b2']);
  });

  test('counts by the same filter', () => {
    expect(countEvents(db)).toBe(5);
    expect(countEvents(db, { session: 's1', type: 'after_tool' })).toBe(1);
    expect(countEvents(db, { afterRow: 4 })).toBe(1);
  });

  test.each([
    [{ session: 's1', limit: 10, newest: true }, 'events_by_session'],
    [{ session: 's1', type: 'before_tool', limit: 10 }, 'events_by_session'],
    [{ type: 'before_tool', limit: 10, newest: true }, 'events_by_type'],
  ] as const)('%o uses an index, so that it stays fast with a million rows', (page, index) => {
    expect(planOf(() => listEvents(spied, page))).toContain(`INDEX ${index}`);
  });

  let planned: string[] = [];
  const spied: Database = {
    driver: 'node',
    exec: () => undefined,
    transaction: (work) => work(),
    close: () => undefined,
    prepare: (sql) => ({
      ...db.prepare(sql),
      all: (...parameters) => {
        const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
        planned = plan.map((row) => String(row.detail));
        return [];
      },
    }),
  };

  function planOf(query: () => unknown): string {
    planned = [];
    query();
    return planned.join('\n');
  }
});

test('findEvent takes an id or the beginning of only one', () => {
  for (const id of ['abc', 'abd', 'abcd', 'x_%']) keep({ ...prompt(), id });
  expect(findEvent(db, 'abd')?.id).toBe('abd');
  expect(findEvent(db, 'abc')?.id).toBe('abc');
  expect(findEvent(db, 'x')?.id).toBe('x_%');
  expect(findEvent(db, 'a%')).toBeNull();
  expect(findEvent(db, 'zzz')).toBeNull();
  expect(findEvent(db, '')).toBeNull();
  expect(() => findEvent(db, 'ab')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('everything about a call comes back as it was', () => {
  const response: HookResponse = {
    ...deny('no'),
    context: 'c',
    modifyArgs: { command: 'true' },
    grants: [{ behavior: 'allow', tool: 'Bash', pattern: null, scope: 'session' }],
    toolConfig: { mode: 'AUTO', allowedFunctionNames: ['f'] },
    env: { A: 'b' },
    native: { claude: { x: 1 } },
    replaceOutput: [1],
    metadata: { m: null },
  };
  const opinions: Opinion[] = [
    { kind: 'rule', by: 'no-rm', where: 'rules/a.yaml:3', response },
    { kind: 'rule', by: 'watching', where: null, response: allow(), observing: true },
    { kind: 'hook', by: 'h', where: null, response: allow() },
    { kind: 'rule', by: 'no-rm', where: 'rules/a.yaml:3', response: deny('again') },
  ];
  const degraded = [{ effect: 'context', reason: 'not here' }] as const;
  const answer = { action: 'json_output', stdout_json: { ok: false } } as const;
  const event = recorder.place(afterTool('ls\n"-la" ü🪝', 'u1'));
  recorder.commit(call(event, { response, opinions, degraded, answer, latencyMs: 2.25 }));
  const { native, ...canonical } = event;
  expect(listEvents(db)).toEqual([
    {
      row: 1,
      id: event.id,
      type: 'after_tool',
      source: 'claude',
      nativeEvent: 'Native',
      sessionId: 's1',
      sequence: 1,
      promptNumber: 0,
      toolNumber: 1,
      timestamp: event.timestamp,
      cwd: '/project',
      projectId: 'project',
      machineId: 'machine',
      userId: 'user',
      agentId: null,
      tool: { name: 'Bash', kind: 'shell', useId: 'u1', input: { command: 'ls\n"-la" ü🪝' }, outcome: 'ok' },
      response,
      opinions,
      degraded,
      rules: ['no-rm'],
      answer,
      latencyMs: 2.25,
      event: canonical,
      native,
    },
  ]);
});

test('the public event has exactly the fields that scripts rely on', () => {
  keep({
    ...beforeTool('ls', 'u1'),
    id: 'one',
    timestamp: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    receivedAt: Date.UTC(2026, 0, 2, 3, 4, 6),
  });
  keep({ ...prompt(), id: 'two', timestamp: 9e99 });
  const [tool, other] = listEvents(db).map(toPublicEvent);
  expect(tool).toEqual({
    id: 'one',
    type: 'before_tool',
    source: 'claude',
    sessionId: 's1',
    sequence: 1,
    promptNumber: 0,
    toolNumber: 1,
    timestamp: '2026-01-02T03:04:05.006Z',
    receivedAt: '2026-01-02T03:04:06.000Z',
    tool: { name: 'Bash', useId: 'u1', input: { command: 'ls' }, outcome: null },
    response: { decision: 'none' },
    degraded: [],
    rules: [],
    latencyMs: 1.5,
    answeredBy: null,
    problem: null,
  });
  expect(other).toMatchObject({ id: 'two', tool: null, timestamp: '+275760-09-13T00:00:00.000Z' });
});

test('own notes are no session, unless they are named', () => {
  keep({ ...prompt('s1'), timestamp: 1 });
  keep({ ...prompt('access'), timestamp: 2, source: OWN_SOURCE });
  const ids = (filter?: Parameters<typeof listSessions>[1]) =>
    listSessions(db, filter).map(({ sessionId }) => sessionId);
  expect(ids()).toEqual(['s1']);
  expect(ids({ limit: 1 })).toEqual(['s1']);
  for (const filter of [{ source: OWN_SOURCE }, { session: 'access' }])
    expect(ids(filter)).toEqual(['access']);
  expect(ids({ own: true })).toEqual(['access', 's1']);
  expect(listEvents(db, { ofAgents: true }).map(({ sessionId }) => sessionId)).toEqual(['s1']);
});

test('sessions come with the most recently active first', () => {
  keep({ ...prompt('old'), timestamp: 1 });
  keep({ ...beforeTool('ls', null, 'new'), timestamp: 3 });
  keep({ ...prompt('codex'), timestamp: 2, source: 'codex' });
  expect(listSessions(db).map(({ sessionId }) => sessionId)).toEqual(['new', 'codex', 'old']);
  expect(listSessions(db, { source: 'claude', limit: 1 })).toEqual([
    {
      source: 'claude',
      sessionId: 'new',
      sequence: 1,
      promptNumber: 0,
      toolNumber: 1,
      startedAt: 3,
      lastAt: 3,
      endedAt: null,
      cwd: '/project',
      projectId: 'project',
    },
  ]);
});

function keep(event: HookEvent): void {
  expect(recorder.commit(call(recorder.place(event)))).toBe(true);
}
