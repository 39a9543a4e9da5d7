import { type Element, fixture } from './element.ts';

const ENCODE = 'src/agents/claude/encode.test.ts';
const DIALECT = 'src/agents/kit/dialect.test.ts';
const READS = 'reads whatever a hook does, and never makes a permission of it that nobody gave';
const MODELS = 'src/hooks/models.test.ts';
const LINT = 'src/cli/lint-files.test.ts';

/** What Claude Code sends to hooks and reads from them, as scripts are written for it. */
export const CLAUDE_HOOKS: readonly Element[] = [
  ['PreToolUse: input', ...fixture('claude', 'PreToolUse/bash')],
  ['decision: approve, block', DIALECT, READS],
  ['permissionDecision: allow, deny, ask', DIALECT, READS],
  ['updatedInput', ENCODE, '5: updatedInput replaces the whole input, so the whole input is sent'],
  ['updatedInput in part', DIALECT, READS],
  [
    'systemMessage is for the user',
    ENCODE,
    '1: what the model shall know never goes into systemMessage, which only the person sees',
  ],
  [
    'suppressOutput',
    ENCODE,
    'an answer is hidden where it is one, and an action that the client does not have is on record',
  ],
  [
    'continue: false',
    ENCODE,
    '2: a denied tool does not end the turn, and ending the turn does not stop a tool',
  ],
  [
    'PostToolUse: tool_output',
    'src/agents/claude/decode.test.ts',
    'has a machine and the old name of the response',
  ],
  ['UserPromptSubmit: prompt, block', ...fixture('claude', 'UserPromptSubmit')],
  ['Stop: stop_hook_active', ...fixture('claude', 'Stop')],
  [
    'Stop: stop_reason',
    'src/agents/claude/decode.test.ts',
    'why the model stopped, and that a call was interrupted, are told in our words',
  ],
  [
    'Stop: block does not loop',
    'src/hooks/handler.test.ts',
    'is refused three times in a turn at most, by all hooks together',
  ],
  ['SubagentStop: as Stop', ...fixture('claude', 'SubagentStop')],
  ['SessionStart: additionalContext', ...fixture('claude', 'SessionStart')],
  ['contexts of several hooks are joined', 'src/model/merge.test.ts', 'contexts are kept in handler order'],
  [
    'SessionEnd: reasons',
    'src/agents/claude/decode.test.ts',
    'the session may end for reasons that versions add and drop',
  ],
  ['PreCompact: trigger, custom_instructions, block', ...fixture('claude', 'PreCompact')],
  ['Notification: title', 'src/model/subject.test.ts', 'other events are about what they say'],
  [
    'PostToolUseFailure: is_interrupt',
    'src/agents/claude/decode.test.ts',
    'why the model stopped, and that a call was interrupted, are told in our words',
  ],
  ['a prompt hook: approve, block, reason', MODELS, '%s with mayAllow %s'],
  ['a prompt hook: continue, stopReason', MODELS, '%s with mayAllow %s'],
  ['a prompt hook: JSON in a text', MODELS, '%s with mayAllow %s'],
  [
    'a prompt hook: $ARGUMENTS is the input of the hook',
    MODELS,
    '$ARGUMENTS is the payload in the dialect of the hook',
  ],
  ['a prompt hook: malformed answers fail', MODELS, '%s is a failure, never an opinion'],
  [
    'a prompt hook is imported',
    'src/cli/import-plan.test.ts',
    'a prompt hook gets the first provider, and stays while there is none',
  ],
  [
    'a timeout in milliseconds: import warns',
    'src/cli/import-plan.test.ts',
    'a timeout in milliseconds where seconds count comes with a warning',
  ],
  [
    'a timeout in milliseconds: lint finds it',
    LINT,
    'a settings file that is named is checked with the scripts that it calls',
  ],
  [
    'exit code 1 blocks nothing',
    LINT,
    'a settings file that is named is checked with the scripts that it calls',
  ],
  ['matchers that went out of date', LINT, 'what no session starts or ends with'],
];
