import { event } from './claude.ts';
import { answered, type Element, heard, type Json, received, shownBy } from './element.ts';

const MODELS = 'src/hooks/prompts/models.test.ts';
const VERDICT = '%s with mayAllow %s';
const LINT = 'src/cli/hooks/lint-files.test.ts';
const IMPORT = 'src/cli/hooks/import-plan.test.ts';
const NAMED = 'a settings file that is named is checked with the scripts that it calls';

const before = {
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm install', timeout: 1000 },
};
const stop = { hook_event_name: 'Stop', stop_hook_active: false };
const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'x' };
const compact = { hook_event_name: 'PreCompact', trigger: 'manual' };
const says = (payload: Json, stdout: Json, expected: Json) => heard('claude', payload, { stdout }, expected);
const own = (fields: Json) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const input = (tool: string, tool_input: Json): readonly Element[] =>
  Object.entries(tool_input).map(
    ([key, value]): Element => [
      `${tool}: ${key}`,
      event('PreToolUse', { tool_name: tool, tool_input }, { tool: { input: { [key]: value } } }),
    ],
  );

const EVENTS: readonly Element[] = [
  ['session_id', event('Stop', {}, { sessionId: 's1' })],
  ['transcript_path', event('Stop', {}, { transcriptPath: '/t.jsonl' })],
  ['cwd', event('Stop', {}, { cwd: '/p' })],
  ...['default', 'plan', 'acceptEdits', 'bypassPermissions'].map(
    (permission_mode): Element => [
      `permission_mode ${permission_mode}`,
      event('Stop', { permission_mode }, { permissionMode: permission_mode }),
    ],
  ),
  ['hook_event_name', event('Stop', {}, { nativeEvent: 'Stop' })],
  [
    'PreToolUse: tool_name, tool_input',
    received('claude', before, { tool: { name: 'Bash', command: 'npm install' } }),
  ],
  ['PreToolUse: decision approve', says(before, { decision: 'approve' }, { decision: 'allow' })],
  [
    'PreToolUse: decision block, reason',
    says(before, { decision: 'block', reason: 'r' }, { decision: 'deny', reason: 'r' }),
  ],
  ...['allow', 'deny', 'ask'].map(
    (permissionDecision): Element => [
      `PreToolUse: permissionDecision ${permissionDecision}`,
      says(before, own({ permissionDecision }), { decision: permissionDecision }),
    ],
  ),
  [
    'PreToolUse: permissionDecisionReason',
    says(before, own({ permissionDecision: 'deny', permissionDecisionReason: 'r' }), { reason: 'r' }),
  ],
  [
    'PreToolUse: updatedInput',
    says(before, own({ permissionDecision: 'allow', updatedInput: { command: 'npm ci' } }), {
      modifyArgs: { command: 'npm ci' },
    }),
  ],
  [
    'PreToolUse: updatedInput in part is sent whole',
    answered(
      'claude',
      before,
      { decision: 'none', modifyArgs: { timeout: 3000 } },
      { body: { hookSpecificOutput: { updatedInput: { command: 'npm install', timeout: 3000 } } } },
    ),
  ],
  [
    'PreToolUse: a part that a script names is merged',
    shownBy('src/agents/kit/dialect-verdicts.test.ts', 'leaves out a part'),
  ],
  [
    'PreToolUse: permissionDecision at the top, which the client does not read: lint says so',
    shownBy('src/cli/hooks/lint-documents.test.ts', 'a document whose line breaks were lost'),
  ],
  ['PreToolUse: systemMessage', says(before, { systemMessage: 'm' }, { systemMessage: 'm' })],
  ['PreToolUse: suppressOutput', says(before, { suppressOutput: true }, { suppressOutput: true })],
  ['PreToolUse: continue', says(before, { continue: false, stopReason: 's' }, { halt: 's' })],
  [
    'PostToolUse: tool_output',
    event(
      'PostToolUse',
      { tool_name: 'Write', tool_input: {}, tool_output: 'File created' },
      { tool: { response: 'File created' } },
    ),
  ],
  [
    'PostToolUse: systemMessage',
    says(
      { ...before, hook_event_name: 'PostToolUse', tool_response: '' },
      { systemMessage: 'm' },
      { systemMessage: 'm' },
    ),
  ],
  [
    'PostToolUse: suppressOutput',
    says(
      { ...before, hook_event_name: 'PostToolUse', tool_response: '' },
      { suppressOutput: true },
      { suppressOutput: true },
    ),
  ],
  ['UserPromptSubmit: prompt', received('claude', prompt, { prompt: 'x' })],
  [
    'UserPromptSubmit: decision block, reason',
    says(prompt, { decision: 'block', reason: 'r' }, { decision: 'deny', reason: 'r' }),
  ],
  [
    'UserPromptSubmit: decision approve means no decision on a prompt',
    says(prompt, { decision: 'approve', reason: 'r' }, {}),
  ],
  ['UserPromptSubmit: systemMessage', says(prompt, { systemMessage: 'm' }, { systemMessage: 'm' })],
  ['Stop: stop_hook_active', event('Stop', { stop_hook_active: true }, { stopHookActive: true })],
  [
    'Stop: decision block, reason',
    says(stop, { decision: 'block', reason: 'r' }, { decision: 'deny', reason: 'r' }),
  ],
  ['Stop: no decision', says(stop, {}, { decision: 'none' })],
  [
    'Stop: continue false lets it stop',
    says(stop, { continue: false, stopReason: 's' }, { decision: 'none', halt: 's' }),
  ],
  [
    'Stop: stopReason',
    answered('claude', stop, { decision: 'none', halt: 's' }, { body: { stopReason: 's' } }),
  ],
  ['Stop: systemMessage', says(stop, { systemMessage: 'm' }, { systemMessage: 'm' })],
  [
    'Stop: a hook that always blocks does not loop',
    shownBy('src/hooks/handler.test.ts', 'is denied at most three times per turn, by all hooks together'),
  ],
  [
    'SubagentStop: input as Stop',
    event('SubagentStop', { stop_hook_active: true }, { stopHookActive: true }),
  ],
  [
    'SubagentStop: output as Stop',
    says(
      { ...stop, hook_event_name: 'SubagentStop' },
      { decision: 'block', reason: 'r' },
      { decision: 'deny', reason: 'r' },
    ),
  ],
  ...['startup', 'continue', 'checkpoint'].map(
    (source): Element => [
      `SessionStart: source ${source}`,
      event('SessionStart', { source }, { trigger: source }),
    ],
  ),
  [
    'SessionStart: additionalContext',
    answered(
      'claude',
      { hook_event_name: 'SessionStart' },
      { decision: 'none', context: 'c' },
      { body: { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'c' } } },
    ),
  ],
  [
    'SessionStart: contexts of several hooks are joined',
    shownBy('src/model/merge.test.ts', 'contexts are kept in handler order'),
  ],
  ...['exit', 'error', 'timeout', 'compact'].map(
    (reason): Element => [`SessionEnd: reason ${reason}`, event('SessionEnd', { reason }, { reason })],
  ),
  [
    'SessionEnd: output is ignored',
    says(
      { hook_event_name: 'SessionEnd', reason: 'exit' },
      { decision: 'block', reason: 'r' },
      { decision: 'none' },
    ),
  ],
  ...['manual', 'auto'].map(
    (trigger): Element => [`PreCompact: trigger ${trigger}`, event('PreCompact', { trigger }, { trigger })],
  ),
  [
    'PreCompact: custom_instructions',
    event('PreCompact', { custom_instructions: 'i' }, { instructions: 'i' }),
  ],
  [
    'PreCompact: decision block, reason',
    says(compact, { decision: 'block', reason: 'r' }, { decision: 'deny', reason: 'r' }),
  ],
  [
    'PreCompact: a refusal reaches the client',
    answered(
      'claude',
      compact,
      { decision: 'deny', reason: 'r' },
      { body: { decision: 'block', reason: 'r' } },
    ),
  ],
  ['Notification', event('Notification', {}, { type: 'notification' })],
];

const PROMPTS_AND_ERRORS: readonly Element[] = [
  ['a prompt hook: decision approve', shownBy(MODELS, VERDICT)],
  ['a prompt hook: decision block, reason', shownBy(MODELS, VERDICT)],
  ['a prompt hook: systemMessage', shownBy(MODELS, VERDICT)],
  ['a prompt hook: continue, stopReason', shownBy(MODELS, VERDICT)],
  ['a prompt hook: JSON in prose and fences', shownBy(MODELS, VERDICT)],
  [
    'a prompt hook: $ARGUMENTS is the input of the hook',
    shownBy(MODELS, '$ARGUMENTS is the payload in the dialect of the hook'),
  ],
  ['a prompt hook: malformed answers fail', shownBy(MODELS, '%s is a failure, never an opinion')],
  [
    'a prompt hook is imported',
    shownBy(IMPORT, 'a prompt hook gets the first provider, and stays while there is none'),
  ],
  [
    'an error: exit code 1',
    heard(
      'claude',
      before,
      { exit: 1, stderr: 'oops' },
      { decision: 'none', problem: 'it ended with code 1: oops' },
    ),
  ],
  [
    'an error: JSON on stderr with exit code 1 blocks nothing',
    heard(
      'claude',
      before,
      { exit: 1, stderr: '{"decision": "block"}' },
      { decision: 'none', problem: 'it ended with code 1: {"decision": "block"}' },
    ),
  ],
  ['an error: lint says so', shownBy(LINT, NAMED)],
  [
    'timeout: in milliseconds, import warns',
    shownBy(IMPORT, 'a timeout in milliseconds where seconds count comes with a warning'),
  ],
  ['timeout: in milliseconds, lint finds it', shownBy(LINT, NAMED)],
  [
    'timeout: what Hookline itself writes is not a finding',
    shownBy(LINT, 'nothing that Hookline itself writes for %s'),
  ],
  ['matchers that went out of date', shownBy(LINT, 'what no session starts or ends with')],
];

/** What Claude Code sends to hooks and reads from them, as scripts are written for it. */
export const CLAUDE_HOOKS: readonly Element[] = [
  ...EVENTS,
  ...input('Bash', { command: 'npm install', description: 'd', timeout: 120_000, run_in_background: false }),
  ...input('Write', { file_path: '/p/a.js', content: 'x' }),
  ...input('Edit', { file_path: '/p/a.js', old_string: 'a', new_string: 'b', replace_all: false }),
  ...input('Read', { file_path: '/p/a.js', offset: 0, limit: 100 }),
  ...input('Grep', { pattern: 'function.*', path: '/p', output_mode: 'content' }),
  ...input('mcp__s__t', { anything: 1 }),
  ...PROMPTS_AND_ERRORS,
];
