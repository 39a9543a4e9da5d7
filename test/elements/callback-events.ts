import { DENY, event, own, values } from './claude.ts';
import { answered, type Element, heard, shownBy } from './element.ts';

const UPSTREAM = 'src/approvals/upstream.test.ts';

const BASH = { tool_name: 'Bash', tool_input: { command: 'ls' } };
const after = { hook_event_name: 'PostToolUse', ...BASH, tool_response: 'x' };
const stop = { hook_event_name: 'Stop', stop_hook_active: false };
const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'x' };
const TURNS: readonly Element[] = [
  ['Stop: stop_hook_active', event('Stop', { stop_hook_active: true }, { stopHookActive: true })],
  [
    'Stop: decision block, reason',
    answered('claude', stop, DENY, { body: { decision: 'block', reason: 'r' } }),
  ],
  ['SubagentStart: agent_id', event('SubagentStart', { agent_id: 'a' }, { subagentId: 'a' })],
  ...values('SubagentStart: agent_type', ['Bash', 'Explore', 'Plan', 'mine'], (agent_type) =>
    event('SubagentStart', { agent_type }, { subagentType: agent_type }),
  ),
  [
    'SubagentStart: additionalContext',
    answered(
      'claude',
      { hook_event_name: 'SubagentStart' },
      { decision: 'none', context: 'c' },
      own({ additionalContext: 'c' }),
    ),
  ],
  [
    'SubagentStart cannot block',
    answered('claude', { hook_event_name: 'SubagentStart' }, DENY, { degraded: ['deny'] }),
  ],
  [
    'SubagentStop: stop_hook_active',
    event('SubagentStop', { stop_hook_active: true }, { stopHookActive: true }),
  ],
  [
    'SubagentStop: agent_id, agent_type',
    event('SubagentStop', { agent_id: 'a', agent_type: 'Plan' }, { subagentId: 'a', subagentType: 'Plan' }),
  ],
  [
    'SubagentStop: agent_transcript_path',
    event('SubagentStop', { agent_transcript_path: '/a.jsonl' }, { subagentTranscriptPath: '/a.jsonl' }),
  ],
  [
    'SubagentStop: decision block',
    answered('claude', { ...stop, hook_event_name: 'SubagentStop' }, DENY, {
      body: { decision: 'block', reason: 'r' },
    }),
  ],
  ['UserPromptSubmit: prompt', event('UserPromptSubmit', prompt, { prompt: 'x' })],
  [
    'UserPromptSubmit: decision block, reason',
    answered('claude', prompt, DENY, { body: { decision: 'block', reason: 'r' } }),
  ],
  [
    'UserPromptSubmit: additionalContext',
    answered('claude', prompt, { decision: 'none', context: 'c' }, own({ additionalContext: 'c' })),
  ],
  ...values('SessionStart: source', ['startup', 'resume', 'clear', 'compact'], (source) =>
    event('SessionStart', { source }, { trigger: source }),
  ),
  ['SessionStart: model', event('SessionStart', { model: 'm' }, { model: 'm' })],
  [
    'SessionStart: agent_type',
    event('SessionStart', { agent_type: 'reviewer' }, { metadata: { agentType: 'reviewer' } }),
  ],
  [
    'SessionStart: a text is context',
    heard(
      'claude',
      { hook_event_name: 'SessionStart', source: 'startup' },
      { stdout: 'c' },
      { context: 'c' },
    ),
  ],
  [
    'SessionStart: additionalContext',
    answered(
      'claude',
      { hook_event_name: 'SessionStart' },
      { decision: 'none', context: 'c' },
      own({ additionalContext: 'c' }),
    ),
  ],
  ...values(
    'SessionEnd: reason',
    ['clear', 'logout', 'prompt_input_exit', 'bypass_permissions_disabled', 'other'],
    (reason) => event('SessionEnd', { reason }, { reason }),
  ),
  [
    'SessionEnd has no decision',
    answered('claude', { hook_event_name: 'SessionEnd' }, DENY, { degraded: ['deny'] }),
  ],
];

const OTHERS: readonly Element[] = [
  ['Notification: message', event('Notification', { message: 'm' }, { message: 'm' })],
  ['Notification: title (mismatch 5)', event('Notification', { title: 't' }, { title: 't' })],
  [
    'Notification: title in the timeline',
    shownBy('src/model/subject.test.ts', 'other events are about what they say'),
  ],
  ...values(
    'Notification: notification_type',
    ['permission_prompt', 'idle_prompt', 'auth_success', 'elicitation_dialog'],
    (kind) => event('Notification', { notification_type: kind }, { kind }),
  ),
  [
    'Notification cannot block',
    answered('claude', { hook_event_name: 'Notification' }, DENY, { degraded: ['deny'] }),
  ],
  [
    'Notification: additionalContext waits for an event that can carry it',
    shownBy(
      'src/engine/handle.test.ts',
      "context that an event can't carry comes with the next one that can, once",
    ),
  ],
  ...values('PreCompact: trigger', ['manual', 'auto'], (trigger) =>
    event('PreCompact', { trigger }, { trigger }),
  ),
  [
    'PreCompact: custom_instructions',
    event('PreCompact', { custom_instructions: 'i' }, { instructions: 'i' }),
  ],
  ...values('Setup: trigger', ['init', 'maintenance'], (trigger) =>
    event('Setup', { trigger }, { type: 'setup', trigger }),
  ),
  [
    'TeammateIdle: teammate_name, team_name',
    event('TeammateIdle', { teammate_name: 'n', team_name: 't' }, { teammate: 'n', team: 't' }),
  ],
  [
    'TeammateIdle: exit code 2 blocks',
    answered('claude', { hook_event_name: 'TeammateIdle' }, DENY, { stderr: 'r' }),
  ],
  [
    'TaskCompleted: task_id, task_subject, task_description',
    event(
      'TaskCompleted',
      { task_id: '1', task_subject: 's', task_description: 'd' },
      { taskId: '1', subject: 's', description: 'd' },
    ),
  ],
  [
    'TaskCompleted: teammate_name',
    event('TaskCompleted', { task_id: '1', teammate_name: 'n' }, { teammate: 'n' }),
  ],
  [
    'TaskCompleted: team_name',
    event('TaskCompleted', { task_id: '1', team_name: 't' }, { native: { team_name: 't' } }),
  ],
  [
    'TaskCompleted: a refusal blocks',
    answered('claude', { hook_event_name: 'TaskCompleted', task_id: '1' }, DENY, {
      body: { decision: 'block' },
    }),
  ],
];

const SCREENS: readonly Element[] = [
  [
    'display: id, timestamp, hookName, toolName, payload',
    shownBy('src/engine/handle.test.ts', 'decodes, evaluates, records and answers a call, and nothing else'),
  ],
  ['display: status, result', shownBy('src/daemon/http.test.ts', 'sends every stored call, redacted')],
  [
    'display: transcriptSummary',
    shownBy(
      'src/history/observations/transcripts.test.ts',
      'links all texts of the agent to their turn and the calls made then',
    ),
  ],
  ['display: toolUseId', event('PostToolUse', { ...after, tool_use_id: 'u' }, { tool: { useId: 'u' } })],
  ['display: parentSubagentId', event('PreToolUse', { ...BASH, agent_id: 'a' }, { agentId: 'a' })],
  [
    'decision allow, deny',
    shownBy('test/browser/dashboard.services.test.ts', 'deny with a message, and deny that ends the turn'),
  ],
  [
    'decision always-allow',
    shownBy(
      UPSTREAM,
      'stores a lasting answer in the settings of the agent that asked, for exactly this command',
    ),
  ],
  [
    'decision always-deny',
    shownBy('src/daemon/api/api-approvals.test.ts', "a deny with a longer scope isn't asked about again"),
  ],
  [
    'decision always-allow-server',
    shownBy(UPSTREAM, "a whole server is stored by an agent that asked; if it can't, that is recorded"),
  ],
  [
    'mismatch 1: TeammateIdle and TaskCompleted are events',
    event('TeammateIdle', {}, { type: 'teammate_idle' }),
  ],
  [
    'mismatch 2: bypass_permissions_disabled',
    shownBy('src/agents/claude/decode.test.ts', 'the session may end for reasons that versions add and drop'),
  ],
  ['mismatch 7: Setup', event('Setup', {}, { type: 'setup' })],
  [
    'mismatch 8: no decision is not allow',
    shownBy('src/engine/handle.test.ts', 'no decision is not allow on %s'),
  ],
  [
    'mismatch 8: the approval expired',
    shownBy('src/approvals/queue.test.ts', "expiry ends it, and a later answer doesn't count"),
  ],
  [
    'mismatch 8: a person leaves it to the agent',
    shownBy('src/daemon/api/api-approvals.test.ts', 'hands an approval back to the agent without a decision'),
  ],
  [
    'mismatch 9: AskUserQuestion',
    shownBy('src/agents/claude/decision.test.ts', '%s: is answered by allow with the whole input'),
  ],
  [
    'mismatch 10: a person can keep a turn from ending',
    shownBy('src/approvals/gates.test.ts', 'keep going denies the next stop, once'),
  ],
  ['adapter: unknown events pass', shownBy('src/agents/claude/decode.test.ts', '%s is unknown and passes')],
  ['adapter: meaning apart from transport', shownBy('src/model/merge.test.ts', 'none is the identity')],
];

/** The other callbacks, what the screens behind that forwarder show, and what they had not got right. */
export const CALLBACK_EVENTS: readonly Element[] = [...TURNS, ...OTHERS, ...SCREENS];
