import { describe, expect, test } from 'vitest';
import { createFakeHub, THREAD } from '../../../../test/support/agents/codex/app-server.ts';
import { decodeMessage } from './decode.ts';
import { createObserver } from './observer.ts';

const HOOKS = '/home/dev/.codex/hooks.json';
const EVENTS = [
  'sessionStart',
  'userPromptSubmit',
  'preToolUse',
  'postToolUse',
  'stop',
  'interrupt',
  'sessionEnd',
];
const turnId = 'turn-1';
const inTurn = { threadId: THREAD.id, turnId };

/** As `hooks/list` of 0.166.0 tells of the hooks that setup wrote. */
function listed(command: string, trustStatus: string) {
  const hooks = EVENTS.map((eventName, displayOrder) => ({
    eventName,
    command: `${command} codex ${eventName}`,
    sourcePath: HOOKS,
    displayOrder,
    enabled: true,
    trustStatus,
  }));
  return { data: [{ cwd: THREAD.cwd, hooks }] };
}

function ran(eventName: string, callId: string | null, status = 'completed') {
  const order = EVENTS.indexOf(eventName);
  const id = [eventName, order, HOOKS, callId].filter((part) => part !== null).join(':');
  return { ...inTurn, run: { id, eventName, sourcePath: HOOKS, displayOrder: order, status, entries: [] } };
}

const prompt = { type: 'userMessage', id: 'm1', content: [{ type: 'text', text: 'Go on.' }] };
const call = (id: string, status = 'inProgress') => ({
  type: 'commandExecution',
  id,
  command: "/bin/bash -lc 'ls'",
  cwd: THREAD.cwd,
  source: 'agent',
  status,
});
const turn = (status: string) => ({ threadId: THREAD.id, turn: { id: turnId, status, items: [] } });

/** What reaches Hookline of these messages. */
async function eventsFrom(
  messages: readonly (readonly [string, unknown])[],
  hooks: unknown = null,
  thread: unknown = { thread: THREAD },
) {
  const hub = createFakeHub();
  const observer = createObserver({
    ...hub.parts,
    ask: async (method) => (method === 'hooks/list' ? hooks : thread),
  });
  for (const [method, params] of messages) observer.notification(method, params);
  await observer.settled();
  expect(hub.problems).toEqual([]);
  return hub.calls.map(decodeMessage);
}
const types = async (...given: Parameters<typeof eventsFrom>) =>
  (await eventsFrom(...given)).map(({ type }) => type);

/** A whole turn with one call, as the server tells of it when hooks are called. */
const WITH_HOOKS: readonly (readonly [string, unknown])[] = [
  ['thread/started', { thread: THREAD }],
  ['turn/started', turn('inProgress')],
  ['hook/completed', ran('sessionStart', null)],
  ['hook/completed', ran('userPromptSubmit', null)],
  ['item/started', { ...inTurn, item: prompt }],
  ['hook/completed', ran('preToolUse', 'call_1')],
  ['item/started', { ...inTurn, item: call('call_1') }],
  ['item/completed', { ...inTurn, item: call('call_1', 'completed') }],
  ['hook/completed', ran('postToolUse', 'call_1')],
  ['hook/completed', ran('stop', null)],
  ['turn/completed', turn('completed')],
  ['thread/closed', { threadId: THREAD.id }],
];

describe('a call reported by hooks and by the server is one call', () => {
  test('a session with our own hooks is already fully reported', async () => {
    expect(await types(WITH_HOOKS, listed('/opt/hookline-forward', 'trusted'))).toEqual([]);
  });

  test('foreign hooks report nothing to us', async () => {
    expect(await types(WITH_HOOKS, listed('/opt/other', 'trusted'))).toEqual([
      'session_start',
      'notification',
      'notification',
      'before_agent',
      'notification',
      'before_tool',
      'after_tool',
      'notification',
      'notification',
      'after_agent',
      'session_end',
    ]);
  });

  test("untrusted hooks aren't called, so everything is reported from here", async () => {
    const silent = WITH_HOOKS.filter(([method]) => method !== 'hook/completed');
    expect(await types(silent, listed('/opt/hookline-forward', 'untrusted'))).toEqual([
      'session_start',
      'before_agent',
      'before_tool',
      'after_tool',
      'after_agent',
      'session_end',
    ]);
  });

  test('a failed hook of ours has reported nothing', async () => {
    const failing = WITH_HOOKS.map(([method, params]): readonly [string, unknown] =>
      JSON.stringify(params).includes('preToolUse')
        ? [method, ran('preToolUse', 'call_1', 'failed')]
        : [method, params],
    );
    expect(await types(failing, listed('/opt/hookline-forward', 'trusted'))).toEqual([
      'notification',
      'before_tool',
      'after_tool',
    ]);
  });

  test('a declined call has no hook after it, so its end is reported from here', async () => {
    const events = await eventsFrom(
      [
        ['thread/started', { thread: THREAD }],
        ['hook/completed', ran('preToolUse', 'call_1')],
        ['item/started', { ...inTurn, item: call('call_1') }],
        ['item/completed', { ...inTurn, item: call('call_1', 'declined') }],
      ],
      listed('/opt/hookline-forward', 'trusted'),
    );
    expect(events).toMatchObject([{ type: 'after_tool', tool: { useId: 'call_1', outcome: 'denied' } }]);
  });

  test('a call without its second hook is reported when the turn ends', async () => {
    const cut = WITH_HOOKS.filter(([, params]) => !JSON.stringify(params).includes('postToolUse'));
    expect(await types(cut, listed('/opt/hookline-forward', 'trusted'))).toEqual(['after_tool']);
  });
});

test('a call that started earlier includes its start', async () => {
  const account = await types([
    ['turn/started', turn('inProgress')],
    ['item/started', { ...inTurn, item: prompt }],
    ['item/completed', { ...inTurn, item: call('late', 'completed') }],
    ['turn/completed', turn('completed')],
  ]);
  expect(account.filter((type) => type.endsWith('_tool'))).toEqual(['before_tool', 'after_tool']);
});

test("what our own hooks reported earlier isn't reported again", async () => {
  const messages = [
    ['item/started', { ...inTurn, item: call('call_1') }],
    ['item/completed', { ...inTurn, item: call('call_1', 'completed') }],
    ['hook/completed', ran('postToolUse', 'call_1')],
    ['hook/completed', ran('stop', null)],
    ['turn/completed', turn('completed')],
  ] as const;
  expect(await types(messages, listed('/opt/hookline-forward', 'trusted'))).toEqual([]);
});

describe('without hooks', () => {
  test('reports a prompt once with its text, and again after more text', async () => {
    const more = { ...prompt, id: 'm2', content: [{ type: 'text', text: 'And now?' }] };
    const events = await eventsFrom([
      ['thread/started', { thread: THREAD }],
      ['turn/started', turn('inProgress')],
      ['item/started', { ...inTurn, item: prompt }],
      ['item/started', { ...inTurn, item: more }],
    ]);
    expect(events.slice(1)).toMatchObject([
      { type: 'before_agent', prompt: 'Go on.', nativeEvent: 'turn/started' },
      { type: 'before_agent', prompt: 'And now?', nativeEvent: 'item/started' },
    ]);
  });

  test('a turn that ends without text is still a turn', async () => {
    const messages = [
      ['turn/started', turn('inProgress')],
      ['turn/completed', turn('interrupted')],
    ] as const;
    expect(await types(messages)).toEqual(['before_agent', 'interrupt']);
  });

  test('looks up the prompt of a turn that started earlier', async () => {
    const turns = [{ id: turnId, status: 'inProgress', items: [prompt] }];
    const events = await eventsFrom(
      [
        ['item/started', { ...inTurn, item: call('call_1') }],
        ['item/started', { ...inTurn, item: call('call_2') }],
      ],
      null,
      { thread: { ...THREAD, turns } },
    );
    expect(events).toMatchObject([
      { type: 'before_agent', prompt: 'Go on.', sessionId: THREAD.sessionId },
      { type: 'before_tool', tool: { useId: 'call_1' } },
      { type: 'before_tool', tool: { useId: 'call_2' } },
    ]);
  });

  test('leaves out threads that no person sees', async () => {
    const thread = { ...THREAD, ephemeral: true };
    const messages = [
      ['thread/started', { thread }],
      ['turn/started', turn('inProgress')],
      ['turn/completed', turn('completed')],
    ] as const;
    expect(await types(messages)).toEqual([]);
  });

  test('a session ends once, however often it is reported', async () => {
    const messages = [
      ['thread/started', { thread: THREAD }],
      ['thread/status/changed', { threadId: THREAD.id, status: { type: 'notLoaded' } }],
      ['thread/closed', { threadId: THREAD.id }],
    ] as const;
    expect(await types(messages)).toEqual(['session_start', 'session_end']);
  });

  test('an unreadable message is a problem, and the next one is processed', async () => {
    const hub = createFakeHub();
    const observer = createObserver({ ...hub.parts, ask: async () => null });
    observer.notification('item/started', { threadId: THREAD.id, item: { type: 7 } });
    observer.notification('thread/closed', { threadId: THREAD.id });
    await observer.settled();
    expect([hub.problems.length, hub.calls.length]).toEqual([1, 1]);
  });
});

describe('messages in the short form that wrappers write', () => {
  const threadId = 'thr_abc123';
  const started = { threadId, turn: { id: 'turn_xyz789', status: 'in_progress' } };
  const completed = { threadId, turn: { id: 'turn_xyz789', status: 'completed', error: null } };
  const short = (id: string, type: string) => ({ threadId, item: { id, type, status: 'completed' } });
  const command = {
    method: 'item/commandExecution/requestApproval',
    params: {
      threadId,
      itemId: 'item_cmd123',
      turnId: 'turn_xyz789',
      command: 'rm -rf /tmp/test',
      risk: 'medium',
    },
  };
  const change = {
    method: 'item/fileChange/requestApproval',
    params: {
      threadId,
      itemId: 'item_file123',
      turnId: 'turn_xyz789',
      changes: [
        { path: '/path/to/file.py', type: 'modify', content: 'new content' },
        { path: '/path/to/new.py', type: 'create', content: 'x = 1' },
        { path: '/path/to/old.py', type: 'delete' },
      ],
      reason: 'Updating configuration',
    },
  };

  /** Notifications and questions in their order, as the server sends them. */
  async function played(messages: readonly { readonly method: string; readonly params: unknown }[]) {
    const hub = createFakeHub();
    const observer = createObserver({ ...hub.parts, ask: () => Promise.reject(new Error('no answer')) });
    let id = 0;
    for (const { method, params } of messages) {
      if (method.endsWith('requestApproval')) await observer.decide({ id: id++, method, params });
      else observer.notification(method, params);
    }
    await observer.settled();
    expect(hub.problems).toEqual([]);
    return hub.calls.map(decodeMessage);
  }

  test('a whole session: one event each, in order', async () => {
    const thread = { id: threadId, preview: 'Help me', createdAt: 1705312200, modelProvider: 'openai' };
    const events = await played([
      { method: 'thread/started', params: { thread } },
      { method: 'turn/started', params: started },
      command,
      { method: 'item/completed', params: short('item_cmd123', 'commandExecution') },
      change,
      { method: 'item/completed', params: short('item_file123', 'fileChange') },
      { method: 'item/completed', params: short('item_mcp', 'mcpToolCall') },
      { method: 'item/completed', params: { threadId, item: { id: 'm1', type: 'message', text: 'Done.' } } },
      { method: 'turn/completed', params: completed },
      { method: 'thread/archive', params: { threadId } },
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      'session_start',
      'before_agent',
      'permission_request',
      'after_tool',
      'permission_request',
      'after_tool',
      'after_tool',
      'message_display',
      'after_agent',
      'session_end',
    ]);
    expect(events.every(({ sessionId }) => sessionId === threadId)).toBe(true);
    // The end of a call has only its id: the question before it had the rest.
    expect(events[3]).toMatchObject({
      tool: { command: 'rm -rf /tmp/test', useId: 'item_cmd123', outcome: 'ok' },
    });
    const files = [
      { op: 'edit', path: '/path/to/file.py' },
      { op: 'create', path: '/path/to/new.py' },
      { op: 'delete', path: '/path/to/old.py' },
    ];
    expect(events[4]).toMatchObject({ tool: { name: 'Edit', files, useId: 'item_file123' } });
    expect(JSON.stringify(events[4])).toContain('+new content');
    expect(events[5]).toMatchObject({ tool: { name: 'Edit', files, outcome: 'ok' } });
    expect(events[7]).toMatchObject({ messageId: 'm1', delta: 'Done.', final: true });
  });

  test('records an approval without the ID of its item or thread', async () => {
    const { itemId: _, ...params } = command.params;
    const { threadId: __, ...nowhere } = params;
    const events = await played([
      { ...command, params },
      { ...command, params: nowhere },
      { ...change, params: { threadId, changes: change.params.changes } },
    ]);
    expect(events).toMatchObject([
      { type: 'permission_request', sessionId: threadId, tool: { command: 'rm -rf /tmp/test', useId: null } },
      { type: 'permission_request', sessionId: '', tool: { command: 'rm -rf /tmp/test', useId: null } },
      { type: 'permission_request', tool: { name: 'Edit', useId: null } },
    ]);
  });

  test('the end of an otherwise unknown call is one event', async () => {
    const events = await played([
      { method: 'item/completed', params: short('a', 'commandExecution') },
      { method: 'item/completed', params: short('b', 'fileChange') },
    ]);
    expect(events).toMatchObject([
      { type: 'after_tool', tool: { name: 'Bash', command: null, useId: 'a', outcome: 'ok' } },
      { type: 'after_tool', tool: { name: 'Edit', files: [], useId: 'b', outcome: 'ok' } },
    ]);
  });
});
