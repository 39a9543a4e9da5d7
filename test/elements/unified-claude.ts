import { answered, type Element, received, shownBy, wrapped } from './element.ts';

const SCRIPTS = 'src/daemon/dispatcher-scripts.test.ts';
const DISPATCHERS = 'src/daemon/dispatchers.test.ts';
const ANSWERS = 'turn each answer into the expected response';

const hook = (hook_type: string, more: Readonly<Record<string, unknown>> = {}) =>
  wrapped({ hook_type, input_data: { session_id: 'abc123', ...more } });
const asked = (resource: string, action: string, target: string) =>
  hook('permission-request', { resource, action, target });
const bash = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } };
const stop = { hook_event_name: 'Stop', stop_hook_active: false };

/** The unified events of one system over the hooks of Claude Code, in the wrapper of its dispatcher scripts. */
export const UNIFIED_CLAUDE: readonly Element[] = [
  ['SESSION_START is session-start', hook('session-start')({ type: 'session_start' })],
  ['SESSION_END is session-end', hook('session-end')({ type: 'session_end' })],
  [
    'BEFORE_AGENT is user-prompt-submit',
    hook('user-prompt-submit', { prompt: 'x' })({ type: 'before_agent' }),
  ],
  ['STOP is stop', hook('stop')({ type: 'stop' })],
  ['BEFORE_TOOL is pre-tool-use', hook('pre-tool-use', bash)({ type: 'before_tool' })],
  [
    'AFTER_TOOL is post-tool-use',
    hook('post-tool-use', { ...bash, hook_event_name: undefined })({ type: 'after_tool' }),
  ],
  ['PRE_COMPACT is pre-compact', hook('pre-compact')({ type: 'pre_compact' })],
  ['SUBAGENT_START is subagent-start', hook('subagent-start')({ type: 'subagent_start' })],
  ['SUBAGENT_STOP is subagent-stop', hook('subagent-stop')({ type: 'subagent_stop' })],
  ['PERMISSION_REQUEST is permission-request', asked('file', 'write', '/x')({ type: 'permission_request' })],
  ['NOTIFICATION is notification', hook('notification')({ type: 'notification' })],
  ['wrapper: hook_type, input_data', hook('stop')({ nativeEvent: 'Stop', source: 'claude' })],
  ['session_id', hook('stop')({ sessionId: 'abc123' })],
  ['machine_id', hook('stop', { machine_id: 'm' })({ machineId: 'm' })],
  ['cwd', hook('stop', { cwd: '/path' })({ cwd: '/path' })],
  ['transcript_path', hook('stop', { transcript_path: '/t.jsonl' })({ transcriptPath: '/t.jsonl' })],
  ...['startup', 'clear', 'resume'].map(
    (source): Element => [
      `session-start: source ${source}`,
      hook('session-start', { source })({ trigger: source }),
    ],
  ),
  ['session-end: nothing but the session', hook('session-end')({ reason: 'unknown' })],
  ['user-prompt-submit: prompt', hook('user-prompt-submit', { prompt: 'Hi' })({ prompt: 'Hi' })],
  ...['end_turn', 'tool_use', 'user_interrupt'].map(
    (stop_reason): Element => [
      `stop: stop_reason ${stop_reason}`,
      hook('stop', { stop_reason })({ stopReason: stop_reason }),
    ],
  ),
  ['stop: stop_hook_active', hook('stop', { stop_hook_active: true })({ stopHookActive: true })],
  [
    'stop: refused, and the reason reaches the agent',
    answered(
      'claude',
      stop,
      { decision: 'deny', reason: 'Commit first.' },
      {
        body: { decision: 'block', reason: 'Commit first.' },
      },
    ),
  ],
  [
    'pre-tool-use: tool_name, tool_input',
    hook('pre-tool-use', { tool_name: 'Bash', tool_input: { command: 'ls -la' } })({
      tool: { name: 'Bash', command: 'ls -la' },
    }),
  ],
  ['pre-tool-use: refused', shownBy(SCRIPTS, ANSWERS)],
  [
    'post-tool-use: tool_output',
    hook('post-tool-use', { tool_name: 'Bash', tool_input: {}, tool_output: 'a\nb' })({
      tool: { response: 'a\nb', outcome: 'ok' },
    }),
  ],
  [
    'post-tool-use-failure',
    hook('post-tool-use-failure', { tool_name: 'Bash', tool_input: {}, tool_output: 'no' })({
      tool: { error: 'no', outcome: 'failed' },
    }),
  ],
  ['pre-compact: nothing but the session', hook('pre-compact')({ trigger: 'unknown' })],
  [
    'permission-request: file',
    asked('file', 'write', '/etc/hosts')({ tool: { files: [{ path: '/etc/hosts' }] } }),
  ],
  ['permission-request: directory', asked('directory', 'write', '/d')({ tool: { files: [{ path: '/d' }] } })],
  ['permission-request: command', asked('command', 'execute', 'ls')({ tool: { command: 'ls' } })],
  ['permission-request: read', asked('file', 'read', '/x')({ tool: { name: 'Read' } })],
  ['permission-request: write', asked('file', 'write', '/x')({ tool: { name: 'Write' } })],
  ['permission-request: execute', asked('file', 'execute', '/x')({ tool: { name: 'Bash', command: '/x' } })],
  [
    'permission-request: reason',
    hook('permission-request', { resource: 'command', action: 'execute', target: 'ls', reason: 'Why not' })({
      tool: { input: { description: 'Why not' } },
    }),
  ],
  [
    'permission-request: refused by rules on files and commands',
    shownBy(DISPATCHERS, 'asks permission for a %s: %s %s'),
  ],
  [
    'subagent-start: agent_id, subagent_id',
    hook('subagent-start', { agent_id: 'p', subagent_id: 'c' })({ subagentId: 'c' }),
  ],
  ['subagent-stop: subagent_id', hook('subagent-stop', { subagent_id: 'c' })({ subagentId: 'c' })],
  ...['waiting_for_input', 'error', 'info'].map(
    (notification_type): Element => [
      `notification: notification_type ${notification_type}`,
      hook('notification', { notification_type })({ kind: notification_type }),
    ],
  ),
  [
    'answer: no decision is not approve',
    shownBy(DISPATCHERS, 'prints nothing without an opinion, so that nothing is approved'),
  ],
  [
    'answer: continue false ends the turn',
    answered(
      'claude',
      { ...bash, hook_event_name: 'PostToolUse' },
      { decision: 'none', halt: 'Enough.' },
      { body: { continue: false } },
    ),
  ],
  [
    'answer: stopReason',
    answered('claude', stop, { decision: 'none', halt: 'Enough.' }, { body: { stopReason: 'Enough.' } }),
  ],
  [
    'answer: decision block',
    answered('claude', stop, { decision: 'deny', reason: 'r' }, { body: { decision: 'block' } }),
  ],
  [
    'answer: systemMessage is what the user sees',
    answered('claude', bash, { decision: 'none', systemMessage: 'm' }, { body: { systemMessage: 'm' } }),
  ],
  [
    'answer: hookSpecificOutput.hookEventName',
    answered(
      'claude',
      bash,
      { decision: 'deny', reason: 'r' },
      { body: { hookSpecificOutput: { hookEventName: 'PreToolUse' } } },
    ),
  ],
  [
    'answer: additionalContext before a tool too',
    answered(
      'claude',
      bash,
      { decision: 'none', context: 'c' },
      { body: { hookSpecificOutput: { additionalContext: 'c' } } },
    ),
  ],
  [
    'context goes to the agent, system_message to the user',
    shownBy(
      'src/agents/claude/encode.test.ts',
      '1: text for the model never goes into systemMessage, which only the user sees',
    ),
  ],
  ['dispatcher: POST to the address of the agent', shownBy('src/daemon/http.test.ts', 'is evaluated %s')],
  ['dispatcher: exit codes', shownBy(SCRIPTS, ANSWERS)],
  ['dispatcher: a refused prompt', shownBy(DISPATCHERS, 'blocks a prompt with exit code 2')],
  [
    'dispatcher: a question, a rewrite and context',
    shownBy(DISPATCHERS, 'gets a question, a rewrite and context in the words of the client'),
  ],
  [
    'dispatcher: the end of a turn',
    shownBy(DISPATCHERS, 'does not turn the end of a turn into a refusal to stop'),
  ],
  ['HookEvent: event_type', received('claude', bash, { type: 'before_tool' })],
  ['HookEvent: source', received('claude', bash, { source: 'claude' })],
  ['HookEvent: timestamp', received('claude', bash, { timestamp: 1_700_000_000_000 })],
  ['HookEvent: data', received('claude', { ...bash, more: 1 }, { native: { more: 1 } })],
  ['HookEvent: user_id', received('claude', { ...bash, user_id: 'u' }, { userId: 'u' })],
  ['HookEvent: project_id', received('claude', { ...bash, project_id: 'p' }, { projectId: 'p' })],
  ['HookEvent: workflow_id', received('claude', { ...bash, workflow_id: 'w' }, { workflowId: 'w' })],
  ['HookEvent: metadata', received('claude', { ...bash, prompt_id: 'x' }, { metadata: { promptId: 'x' } })],
  [
    'HookEvent: ids in a payload win over ours',
    shownBy(DISPATCHERS, 'wins, and the rules of the project apply all the same'),
  ],
  [
    'HookEvent: session_id of a payload that cannot be read',
    shownBy(DISPATCHERS, 'of a session survives a payload that cannot be read'),
  ],
  [
    'HookResponse: decision deny',
    answered(
      'claude',
      bash,
      { decision: 'deny', reason: 'r' },
      { body: { hookSpecificOutput: { permissionDecision: 'deny' } } },
    ),
  ],
  [
    'HookResponse: decision ask',
    answered(
      'claude',
      bash,
      { decision: 'ask', reason: 'r' },
      { body: { hookSpecificOutput: { permissionDecision: 'ask' } } },
    ),
  ],
  [
    'HookResponse: decision allow',
    answered(
      'claude',
      bash,
      { decision: 'allow' },
      { body: { hookSpecificOutput: { permissionDecision: 'allow' } } },
    ),
  ],
  [
    'HookResponse: no decision, which theirs does not have',
    answered('claude', bash, { decision: 'none' }, {}),
  ],
  [
    'HookResponse: reason',
    answered(
      'claude',
      bash,
      { decision: 'deny', reason: 'r' },
      { body: { hookSpecificOutput: { permissionDecisionReason: 'r' } } },
    ),
  ],
  [
    'HookResponse: modify_args',
    answered(
      'claude',
      bash,
      { decision: 'none', modifyArgs: { command: 'pwd' } },
      { body: { hookSpecificOutput: { updatedInput: { command: 'pwd' } } } },
    ),
  ],
  [
    'HookResponse: trigger_action is recorded where there is no way',
    answered('claude', bash, { decision: 'none', triggerAction: 'clear' }, { degraded: ['triggerAction'] }),
  ],
  [
    'HookResponse: metadata',
    shownBy('src/model/response-schema.test.ts', 'both read what a response can have'),
  ],
  [
    'HookResponse: several at once',
    shownBy('src/model/merge.test.ts', 'only the reasons of the winning decision are kept'),
  ],
];
