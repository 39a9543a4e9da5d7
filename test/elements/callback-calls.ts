import { DENY, event, own, values } from './claude.ts';
import { answered, type Element, heard, shownBy } from './element.ts';

const FORWARDER = 'src/daemon/foreign-forwarder.test.ts';
const SOCKET = 'src/daemon/socket/socket.test.ts';
const ENVELOPE = 'accepts the envelope of earlier callbacks with all its fields';
const ARRIVES = 'deny, ask, rewrite, context and a blocked prompt arrive, although it names no agent';

const BASH = { tool_name: 'Bash', tool_input: { command: 'ls' } };
const before = { hook_event_name: 'PreToolUse', ...BASH };
const asks = { hook_event_name: 'PermissionRequest', ...BASH };
const after = { hook_event_name: 'PostToolUse', ...BASH, tool_response: 'x' };
const failed = { hook_event_name: 'PostToolUseFailure', ...BASH, error: 'no' };
const grant = { behavior: 'allow', tool: 'Bash', pattern: 'ls', scope: 'session' } as const;
const TRANSPORT: readonly Element[] = [
  ['envelope: request_id', shownBy(SOCKET, ENVELOPE)],
  ['envelope: ts, session_id, hook_event_name, payload', shownBy(SOCKET, ENVELOPE)],
  ['envelope without an agent', shownBy(FORWARDER, ARRIVES)],
  [
    'envelope of an event of another client',
    shownBy(FORWARDER, 'attributes an event of another client to that client'),
  ],
  [
    'ours has session_id and hook_event_name',
    shownBy(FORWARDER, 'our own forwarder is asked to wait, whether it states support or is an older one'),
  ],
  ['result: request_id, ts, payload', shownBy('src/wire/reply.test.ts', '%j is an answer')],
  ['the first line is the answer', shownBy(FORWARDER, ARRIVES)],
  ['passthrough: exit code 0 and nothing', answered('claude', before, { decision: 'none' }, {})],
  [
    'block_with_stderr: exit code 2',
    answered('claude', { hook_event_name: 'WorktreeCreate', name: 'x' }, DENY, { stderr: 'r' }),
  ],
  [
    'json_output: exit code 0 and JSON',
    answered('claude', before, DENY, own({ permissionDecision: 'deny' })),
  ],
  ['an error or a timeout', shownBy(FORWARDER, 'a failure with failure: %s is an answer to it: %s')],
];

const COMMON: readonly Element[] = [
  ['session_id', event('Stop', {}, { sessionId: 's1' })],
  ['transcript_path', event('Stop', {}, { transcriptPath: '/t.jsonl' })],
  ['cwd', event('Stop', {}, { cwd: '/p' })],
  ...values(
    'permission_mode',
    ['default', 'plan', 'acceptEdits', 'dontAsk', 'bypassPermissions'],
    (permission_mode) => event('Stop', { permission_mode }, { permissionMode: permission_mode }),
  ),
  ['hook_event_name', event('Stop', {}, { nativeEvent: 'Stop' })],
  [
    'continue: false halts',
    answered('claude', after, { decision: 'none', halt: 'h' }, { body: { continue: false } }),
  ],
  ['stopReason', answered('claude', after, { decision: 'none', halt: 'h' }, { body: { stopReason: 'h' } })],
  [
    'suppressOutput',
    answered('claude', before, { ...DENY, suppressOutput: true }, { body: { suppressOutput: true } }),
  ],
  [
    'systemMessage',
    answered('claude', before, { decision: 'none', systemMessage: 'm' }, { body: { systemMessage: 'm' } }),
  ],
];

const TOOLS: readonly Element[] = [
  ['PreToolUse: tool_name', event('PreToolUse', BASH, { tool: { name: 'Bash' } })],
  [
    'PreToolUse: tool_name of an MCP tool',
    event(
      'PreToolUse',
      { tool_name: 'mcp__s__t', tool_input: {} },
      { tool: { mcp: { server: 's', tool: 't' } } },
    ),
  ],
  ['PreToolUse: tool_input', event('PreToolUse', BASH, { tool: { input: { command: 'ls' } } })],
  ['PreToolUse: tool_use_id', event('PreToolUse', { ...BASH, tool_use_id: 'u' }, { tool: { useId: 'u' } })],
  ...values('PreToolUse: permissionDecision', ['allow', 'deny', 'ask'], (permissionDecision) =>
    heard(
      'claude',
      before,
      { stdout: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } } },
      { decision: permissionDecision },
    ),
  ),
  [
    'PreToolUse: permissionDecisionReason',
    answered('claude', before, DENY, own({ permissionDecisionReason: 'r' })),
  ],
  [
    'PreToolUse: updatedInput',
    answered(
      'claude',
      before,
      { decision: 'allow', modifyArgs: { command: 'pwd' } },
      own({ updatedInput: { command: 'pwd' } }),
    ),
  ],
  [
    'PreToolUse: additionalContext',
    answered('claude', before, { decision: 'none', context: 'c' }, own({ additionalContext: 'c' })),
  ],
  [
    'PermissionRequest: tool_name, tool_input',
    event('PermissionRequest', BASH, { tool: { name: 'Bash', command: 'ls' } }),
  ],
  [
    'PermissionRequest: no tool_use_id (mismatch 3)',
    event('PermissionRequest', { ...BASH, tool_use_id: 'u' }, { tool: { useId: null } }),
  ],
  [
    'PermissionRequest: permission_suggestions (mismatch 4)',
    event(
      'PermissionRequest',
      { ...BASH, permission_suggestions: [{ type: 'toolAlwaysAllow', tool: 'Bash' }] },
      { suggestions: [{ type: 'toolAlwaysAllow', tool: 'Bash' }] },
    ),
  ],
  [
    'PermissionRequest: behavior allow',
    answered('claude', asks, { decision: 'allow' }, own({ decision: { behavior: 'allow' } })),
  ],
  [
    'PermissionRequest: behavior deny, message',
    answered('claude', asks, DENY, own({ decision: { behavior: 'deny', message: 'r' } })),
  ],
  [
    'PermissionRequest: updatedInput',
    answered(
      'claude',
      asks,
      { decision: 'allow', modifyArgs: { command: 'pwd' } },
      own({ decision: { behavior: 'allow', updatedInput: { command: 'pwd' } } }),
    ),
  ],
  [
    'PermissionRequest: updatedPermissions (mismatch 6)',
    answered(
      'claude',
      asks,
      { decision: 'allow', grants: [grant] },
      own({
        decision: {
          behavior: 'allow',
          updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'ls' }] }],
        },
      }),
    ),
  ],
  [
    'PermissionRequest: reason is not read, message is',
    shownBy(
      'src/agents/claude/encode.test.ts',
      '4: PermissionRequest reads behavior and message, and nothing at the top level',
    ),
  ],
  [
    'PermissionRequest: interrupt',
    answered(
      'claude',
      asks,
      { ...DENY, halt: 'h' },
      own({ decision: { behavior: 'deny', interrupt: true } }),
    ),
  ],
  [
    'PostToolUse: tool_response',
    event(
      'PostToolUse',
      { ...BASH, tool_response: { stdout: 'x' } },
      { tool: { response: { stdout: 'x' } } },
    ),
  ],
  [
    'PostToolUse: tool_use_id',
    event('PostToolUse', { ...after, tool_use_id: 'u' }, { tool: { useId: 'u' } }),
  ],
  [
    'PostToolUse: decision block, reason',
    answered('claude', after, DENY, { body: { decision: 'block', reason: 'r' }, degraded: ['deny'] }),
  ],
  [
    'PostToolUse: additionalContext',
    answered('claude', after, { decision: 'none', context: 'c' }, own({ additionalContext: 'c' })),
  ],
  [
    'PostToolUse: updatedMCPToolOutput, now updatedToolOutput',
    shownBy('src/agents/claude/encode.test.ts', '10: a replaced output has the shape of the tool'),
  ],
  [
    'PostToolUse: updatedMCPToolOutput of a script',
    heard(
      'claude',
      { ...after, tool_name: 'mcp__s__t' },
      { stdout: { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'y' } } },
      { replaceOutput: 'y' },
    ),
  ],
  [
    'PostToolUseFailure: error',
    event('PostToolUseFailure', failed, { tool: { error: 'no', outcome: 'failed' } }),
  ],
  [
    'PostToolUseFailure: is_interrupt',
    event('PostToolUseFailure', { ...failed, is_interrupt: true }, { tool: { outcome: 'interrupted' } }),
  ],
  [
    'PostToolUseFailure: additionalContext',
    answered(
      'claude',
      failed,
      { decision: 'none', context: 'c' },
      own({ hookEventName: 'PostToolUseFailure', additionalContext: 'c' }),
    ),
  ],
];

/** How another forwarder gets callbacks of Claude Code across, and those about calls. */
export const CALLBACK_CALLS: readonly Element[] = [...TRANSPORT, ...COMMON, ...TOOLS];
