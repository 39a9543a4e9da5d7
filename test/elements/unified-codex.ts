import { type Element, notified, shownBy } from './element.ts';

const OBSERVER = 'src/agents/codex/app-server/observer.test.ts';
const SESSION = 'a whole session: one event each, in order';
const APPROVAL = { threadId: 'thr', itemId: 'i1', turnId: 't1' };
const command = (more: Readonly<Record<string, unknown>> = {}) =>
  ['item/commandExecution/requestApproval', { ...APPROVAL, command: 'rm x', ...more }] as const;
const change = (type: string, more: Readonly<Record<string, unknown>> = {}) =>
  [
    'item/fileChange/requestApproval',
    { ...APPROVAL, changes: [{ path: '/f.py', type, content: 'x' }], ...more },
  ] as const;
const item = (type: string, status = 'completed') =>
  ['item/completed', { threadId: 'thr', item: { id: 'i1', type, status } }] as const;

/** The same over the messages of Codex's app-server. */
export const UNIFIED_CODEX: readonly Element[] = [
  [
    'SESSION_START is thread/started',
    notified('thread/started', { thread: { id: 'thr' } }, { type: 'session_start' }),
  ],
  ['SESSION_END is thread/archive', notified('thread/archive', { threadId: 'thr' }, { type: 'session_end' })],
  ['BEFORE_AGENT is turn/started', shownBy(OBSERVER, SESSION)],
  ['AFTER_AGENT is turn/completed', shownBy(OBSERVER, SESSION)],
  ['BEFORE_TOOL is item/*/requestApproval', notified(...command(), { type: 'permission_request' })],
  ['AFTER_TOOL is item/completed', notified(...item('commandExecution'), { type: 'after_tool' })],
  ['method, params', notified(...command(), { nativeEvent: 'item/commandExecution/requestApproval' })],
  ['thread.id', notified('thread/started', { thread: { id: 'thr_abc' } }, { sessionId: 'thr_abc' })],
  [
    'thread.preview, createdAt, modelProvider',
    notified(
      'thread/started',
      { thread: { id: 'thr', preview: 'Help', createdAt: 1705312200, modelProvider: 'openai' } },
      { native: { params: { thread: { preview: 'Help', createdAt: 1705312200, modelProvider: 'openai' } } } },
    ),
  ],
  ['thread/archive: threadId', notified('thread/archive', { threadId: 'thr_abc' }, { sessionId: 'thr_abc' })],
  ['turn/started: turn.id, status', shownBy(OBSERVER, SESSION)],
  ['turn/completed: status, error', shownBy(OBSERVER, SESSION)],
  ['a command: threadId', notified(...command(), { sessionId: 'thr' })],
  ['a command: itemId', notified(...command(), { tool: { useId: 'i1' } })],
  ['a command: turnId', notified(...command(), { metadata: { turnId: 't1' } })],
  ['a command: command', notified(...command(), { tool: { name: 'Bash', command: 'rm x' } })],
  [
    'a command: parsedCmd, risk',
    notified(...command({ parsedCmd: 'rm x', risk: 'medium' }), {
      native: { params: { parsedCmd: 'rm x', risk: 'medium' } },
    }),
  ],
  [
    'a command: reason',
    notified(...command({ reason: 'Deleting' }), { native: { params: { reason: 'Deleting' } } }),
  ],
  ['a change: path', notified(...change('modify'), { tool: { files: [{ path: '/f.py' }] } })],
  ['a change: type modify', notified(...change('modify'), { tool: { files: [{ op: 'edit' }] } })],
  ['a change: type create', notified(...change('create'), { tool: { files: [{ op: 'create' }] } })],
  ['a change: type delete', notified(...change('delete'), { tool: { files: [{ op: 'delete' }] } })],
  ['a change: content', shownBy(OBSERVER, SESSION)],
  [
    'a change: reason',
    notified(...change('modify', { reason: 'Updating' }), { native: { params: { reason: 'Updating' } } }),
  ],
  [
    'an approval without itemId',
    shownBy(OBSERVER, 'records an approval without the ID of its item or thread'),
  ],
  ['item.id', notified(...item('commandExecution'), { tool: { useId: 'i1' } })],
  ['item.status', notified(...item('commandExecution'), { tool: { outcome: 'ok' } })],
  ['item.type commandExecution', notified(...item('commandExecution'), { tool: { name: 'Bash' } })],
  ['item.type fileChange', notified(...item('fileChange'), { tool: { name: 'Edit' } })],
  ['item.type mcpToolCall', notified(...item('mcpToolCall'), { type: 'after_tool' })],
  ['item.type message', shownBy(OBSERVER, SESSION)],
  [
    'item/completed of an unknown call',
    shownBy(OBSERVER, 'the end of an otherwise unknown call is one event'),
  ],
  ['accept and decline', shownBy('src/agents/codex/app-server/encode.test.ts', 'to %s with %o is %o')],
  [
    'its notification of a turn, AgentTurnComplete',
    shownBy('src/daemon/dispatchers.test.ts', 'a turn that Codex has completed is an event of its session'),
  ],
  [
    'names of its tools',
    shownBy('src/daemon/dispatcher-scripts.test.ts', 'guards Codex tools in their map: %s'),
  ],
];
