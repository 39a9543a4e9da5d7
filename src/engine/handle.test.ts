import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callWith, createMemoryRecorder, createTestEngine, saying } from '../../test/support/engine.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import type { Call } from '../model/native.ts';
import { allow, ask, context, deny, none, rewrite } from '../model/responses.ts';
import { closeStore, openStore } from '../store/database/open.ts';
import { findEvent, listEvents } from '../store/read/queries.ts';
import { createRecorder } from '../store/record/recorder.ts';
import { handle } from './handle.ts';

const claude = (event: string, fields: Record<string, unknown> = {}, session = 's1') =>
  callWith('claude', { session_id: session, cwd: '/work', hook_event_name: event, ...fields });
const bash = (command: string, more: Record<string, unknown> = {}) =>
  claude('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 't1', ...more });

test('decodes, evaluates, records and answers a call, and nothing else', async () => {
  const recorder = createMemoryRecorder();
  const seen: string[] = [];
  const engine = createTestEngine(
    [
      saying((event) => {
        seen.push(event.type);
        return deny('not today');
      }),
    ],
    { recorder },
  );
  const { answer, record } = await handle(bash('ls'), engine);
  expect(seen).toEqual(['before_tool']);
  expect(answer).toEqual({
    action: 'json_output',
    stdout_json: {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'not today',
      },
    },
  });
  expect(recorder.records).toEqual([record]);
  expect(record).toMatchObject({
    event: {
      machineId: 'machine',
      userId: 'user',
      projectId: 'project of /work',
      sequence: 1,
      metadata: { branch: 'main' },
    },
    response: { decision: 'deny', reason: 'not today' },
    opinions: [{ kind: 'hook', by: 'test' }],
    answer,
  });
});

test.each(['PreToolUse', 'PermissionRequest'])('no decision is not allow on %s', async (event) => {
  const call = () => claude(event, { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' });
  const silent = await handle(call(), createTestEngine([]));
  expect(silent.answer).toEqual({ action: 'passthrough' });
  expect(silent.record.response).toEqual({ decision: 'none' });
  const allowed = await handle(call(), createTestEngine([saying(() => allow())]));
  expect(JSON.stringify(allowed.answer)).toContain('"allow"');
  expect(allowed.record.response).toEqual({ decision: 'allow' });
});

test('an unknown event passes and is recorded', async () => {
  const recorder = createMemoryRecorder();
  const engine = createTestEngine([], { recorder, failure: 'closed' });
  const { answer } = await handle(claude('InventedTomorrow', { news: 1 }), engine);
  expect(answer).toEqual({ action: 'passthrough' });
  expect(recorder.records[0]?.event).toMatchObject({
    type: 'unknown',
    problem: null,
    nativeEvent: 'InventedTomorrow',
    sessionId: 's1',
    native: { news: 1 },
  });
});

test.each([
  ['text', 'half {'],
  ['an array', [1]],
  ['null', null],
  ['an object of the wrong shape', { hook_event_name: 'PreToolUse', session_id: 7 }],
])('a payload that is %s is recorded with the problem and gets no decision', async (_, payload) => {
  const recorder = createMemoryRecorder();
  const engine = createTestEngine([saying(() => allow())], { recorder });
  const { answer } = await handle(callWith('claude', payload, { event: 'PreToolUse' }), engine);
  expect(answer).toEqual({ action: 'passthrough' });
  const [record] = recorder.records;
  expect(record).toMatchObject({
    event: { type: 'unknown', native: payload },
    response: { decision: 'none' },
  });
  expect(record?.event).toHaveProperty('problem', expect.stringContaining('Claude Code sent PreToolUse'));
});

test('denies a call from an impossibly deep directory without reading it', async () => {
  const cwd = `/${'x/'.repeat(50_000)}`;
  const call = callWith('claude', {
    session_id: 's',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 't1',
  });
  const { record } = await handle(call, createTestEngine([saying(() => expect.unreachable())]));
  expect(record).toMatchObject({
    response: { decision: 'deny', reason: expect.stringContaining('its cwd has 100001 characters') },
    opinions: [{ kind: 'failure', by: 'payload' }],
  });
});

test('includes transport errors in the problem', async () => {
  const call = callWith('claude', 'half {', { event: 'PreToolUse', problem: 'it is cut off' });
  const { record } = await handle(call, createTestEngine([]));
  expect(record.event).toHaveProperty(
    'problem',
    'Claude Code sent PreToolUse without a JSON object: it is cut off',
  );
});

test('failure mode closed denies an unreadable payload of a guarded event', async () => {
  const engine = createTestEngine([saying(() => allow())], { failure: 'closed' });
  const before = await handle(callWith('claude', 'half {', { event: 'PreToolUse' }), engine);
  expect(before.answer).toMatchObject({
    stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } },
  });
  expect(before.record.response.reason).toContain('`failure` is `closed`');
  const after = await handle(callWith('claude', 'half {', { event: 'PostToolUse' }), engine);
  expect(after.answer).toEqual({ action: 'passthrough' });
});

describe('a payload that could be read only in part', () => {
  const problem = 'it is nested more than 200 levels deep (585 bytes)';
  const recorded = async (call: Call, failure: 'open' | 'closed' = 'open') => {
    const handler = saying(() => allow());
    const { answer, record } = await handle({ ...call, problem }, createTestEngine([handler], { failure }));
    return { answer, record };
  };

  test.each(['open', 'closed'] as const)(
    'is denied before a tool, whatever the handlers say, with failure: %s',
    async (failure) => {
      const { answer, record } = await recorded(bash('rm -rf /'), failure);
      expect(answer).toMatchObject({
        stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } },
      });
      expect(record).toMatchObject({
        event: { type: 'before_tool', sessionId: 's1', tool: { name: 'Bash', command: 'rm -rf /' } },
        response: { decision: 'deny', reason: expect.stringContaining(problem) },
        opinions: [{ kind: 'failure', by: 'payload', problem }],
      });
      expect(record.event.metadata).toMatchObject({ problem });
    },
  );

  test.each([
    ['claude', 'PermissionRequest', { tool_name: 'Bash', tool_input: {} }],
    ['claude', 'UserPromptSubmit', { prompt: 'the beginning' }],
    ['claude', 'UserPromptExpansion', { prompt: 'p', command_name: 'c' }],
    ['gemini', 'BeforeTool', { tool_name: 'run_shell_command', tool_input: {} }],
    ['gemini', 'BeforeAgent', { prompt: 'p' }],
    ['codex', 'PreToolUse', { tool_name: 'Bash', tool_input: {} }],
    ['codex', 'PermissionRequest', { tool_name: 'Bash', tool_input: {} }],
    ['codex', 'UserPromptSubmit', { prompt: 'p' }],
  ])("is denied to %s on %s, even without the event's fields", async (agent, event, fields) => {
    const payload = { session_id: 's1', hook_event_name: event };
    for (const found of [{ ...payload, ...fields }, payload, 'no object']) {
      const { answer, record } = await recorded(callWith(agent, found, { event }));
      expect(record.response.decision).toBe('deny');
      expect(record.degraded).toEqual([]);
      expect(record.event).toMatchObject({
        nativeEvent: event,
        sessionId: typeof found === 'string' ? '' : 's1',
      });
      expect(JSON.stringify(answer)).toContain(problem);
    }
  });

  test.each(['open', 'closed'] as const)(
    'is only recorded if nothing can be blocked, with failure: %s',
    async (failure) => {
      const after = claude('PostToolUse', { tool_name: 'Bash', tool_input: {}, tool_response: {} });
      for (const call of [after, claude('Stop'), claude('InventedTomorrow')]) {
        const { answer, record } = await recorded(call, failure);
        expect(answer).toEqual({ action: 'passthrough' });
        expect(record.event).toMatchObject({ sessionId: 's1', metadata: { problem } });
      }
    },
  );
});

test('an unknown agent throws', async () => {
  const recorder = createMemoryRecorder();
  await expect(handle(callWith('cursed', {}), createTestEngine([], { recorder }))).rejects.toMatchObject({
    code: 'AGENT_UNKNOWN',
  });
  expect(recorder.records).toEqual([]);
});

test("a call that can't be recorded gets no answer", async () => {
  const recorder = {
    ...createMemoryRecorder(),
    commit: () => {
      throw new Error('disk full');
    },
  };
  const engine = createTestEngine([saying(() => allow())], { recorder });
  await expect(handle(bash('ls'), engine)).rejects.toThrow('disk full');
});

test('evaluates a rewritten call again: a rewrite into a denied call is denied', async () => {
  const guard = saying(
    (event) => (event.type === 'before_tool' && event.tool.command === 'rm -rf /' ? deny('no rm') : null),
    'guard',
  );
  const rewriter = saying(
    (event) =>
      event.type === 'before_tool' && event.tool.command === 'clean'
        ? rewrite({ command: 'rm -rf /' })
        : null,
    'rewriter',
  );
  const { record } = await handle(bash('clean'), createTestEngine([guard, rewriter]));
  expect(record.response).toMatchObject({ decision: 'deny', reason: 'no rm' });
});

test('a second pass may restrict, but not allow', async () => {
  const handler = saying((event) => {
    if (event.type !== 'before_tool') return null;
    return event.tool.command === 'a'
      ? { decision: 'none', context: 'once', modifyArgs: { command: 'b' } }
      : { ...ask('really b?'), context: 'twice' };
  });
  const { record } = await handle(bash('a'), createTestEngine([handler]));
  expect(record.response).toMatchObject({ decision: 'ask', modifyArgs: { command: 'b' } });
  const allowing = saying((event) =>
    event.type === 'before_tool' && event.tool.command === 'a' ? rewrite({ command: 'b' }) : allow(),
  );
  expect((await handle(bash('a'), createTestEngine([allowing]))).record.response.decision).toBe('none');
});

test('each handler sees the call as changed by the previous one', async () => {
  const append = (text: string) =>
    saying((event) =>
      event.type === 'before_tool' && !event.tool.command?.includes(text)
        ? rewrite({ command: `${event.tool.command} ${text}` })
        : null,
    );
  const { answer } = await handle(
    bash('a', { tool_input: { command: 'a', timeout: 5 } }),
    createTestEngine([append('b'), append('c')]),
  );
  expect(answer).toMatchObject({
    stdout_json: { hookSpecificOutput: { updatedInput: { command: 'a b c', timeout: 5 } } },
  });
});

const tellsOn = (type: string, text = 'remember') =>
  saying((event) => (event.type === type ? context(text) : null));

test("context that an event can't carry comes with the next one that can, once", async () => {
  const engine = createTestEngine([tellsOn('notification')]);
  const notification = () => claude('Notification', { message: 'm', notification_type: 'idle_prompt' });
  const first = await handle(notification(), engine);
  expect(first.answer).toEqual({ action: 'passthrough' });
  expect(first.record.degraded).toMatchObject([{ effect: 'context' }]);
  const second = await handle(notification(), engine);
  expect(second.answer).toEqual({ action: 'passthrough' });

  const other = await handle(
    claude('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } }, 'other session'),
    engine,
  );
  expect(other.answer).toEqual({ action: 'passthrough' });
  const subagent = await handle(bash('ls', { agent_id: 'sub', agent_type: 'Explore' }), engine);
  expect(subagent.answer).toEqual({ action: 'passthrough' });

  const next = await handle(bash('ls'), engine);
  expect(next.answer).toMatchObject({
    stdout_json: { hookSpecificOutput: { additionalContext: 'remember\n\nremember' } },
  });
  expect((await handle(bash('ls'), engine)).answer).toEqual({ action: 'passthrough' });
});

test("pending context comes before the event's own", async () => {
  const engine = createTestEngine([tellsOn('notification', 'first'), tellsOn('before_tool', 'second')]);
  await handle(claude('Notification', { message: 'm', notification_type: 'x' }), engine);
  expect((await handle(bash('ls'), engine)).record.response.context).toBe('first\n\nsecond');
});

test("an event that doesn't reach the model keeps context pending", async () => {
  const engine = createTestEngine([
    tellsOn('notification'),
    saying((event) => (event.type === 'before_agent' ? deny('no') : null)),
  ]);
  await handle(claude('Notification', { message: 'm', notification_type: 'x' }), engine);
  const refused = await handle(claude('UserPromptSubmit', { prompt: 'p' }), engine);
  expect(refused.record.delivered).toEqual([]);
  expect((await handle(bash('ls'), engine)).record.response.context).toBe('remember');
});

test('pending context survives a restart of the store, and is stored when handle returns', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'hookline.db');
  const redact = (text: string) => text;

  const before = openStore(path);
  const call = claude('Notification', { message: 'm', notification_type: 'x' });
  await handle(
    call,
    createTestEngine([tellsOn('notification')], { recorder: createRecorder(before, { redact }) }),
  );
  const reader = openStore(path, { readonly: true });
  expect(findEvent(reader, call.id)).toMatchObject({ type: 'notification', sequence: 1 });
  reader.close();
  closeStore(before);

  const after = openStore(path);
  onTestFinished(() => closeStore(after));
  const engine = createTestEngine([], { recorder: createRecorder(after, { redact }) });
  expect((await handle(bash('ls'), engine)).record.response.context).toBe('remember');
  expect((await handle(bash('ls'), engine)).record.response).toEqual(none());
  expect(listEvents(after).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

test("an event belongs to the run that its call's variables name, unless the payload names another", async () => {
  const engine = createTestEngine([]);
  const workflow = async (run: string, fields: Record<string, unknown> = {}) => {
    const call = { ...claude('Stop', { stop_hook_active: false, ...fields }), env: { HOOKLINE_RUN: run } };
    return (await handle(call, engine)).record.event.workflowId;
  };
  expect(await workflow('0123456789abcdef')).toBe('0123456789abcdef');
  expect(await workflow('not a run')).toBeNull();
  expect(await workflow('0123456789abcdef', { workflow_id: 'w1' })).toBe('w1');
});
