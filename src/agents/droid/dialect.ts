import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import { entryOf } from '../../model/lookup.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import {
  addChanges,
  answered,
  type CommonCall,
  commonCall,
  type Dialect,
  describeExit,
  failed,
  type HookFields,
  type HookRun,
  hookDialect,
  inverse,
  isFoundIn,
  type Presented,
  parseRecord,
  type ResponseDraft,
  renamed,
  silent,
  textIn,
  unfinished,
  type Verdict,
} from '../kit/dialect.ts';
import { commonPatch } from '../kit/patch.ts';
import { ARGUMENTS, mcpName, NAMES, patchIn, payloads, printedBy } from './decode.ts';
import { formOf } from './encode.ts';

/** Droid 0.225.2 as hooks see it. */
export const dialect: Dialect = hookDialect({
  id: 'droid',
  timeoutUnit: 's',
  defaultTimeoutMs: 60_000,
  events: payloads.names,
  shell: (command) => ['sh', '-c', command],
  describe,
  fields,
  toolFields,
  payload: (event, own) => ({
    session_id: event.sessionId,
    transcript_path: event.transcriptPath ?? '',
    cwd: event.cwd ?? '',
    permission_mode: event.permissionMode ?? 'off',
    ...own,
  }),
  subjects: { PreToolUse: 'tool_name', PostToolUse: 'tool_name', SessionStart: 'source' },
  env: ({ cwd }) => ({
    FACTORY_PROJECT_DIR: cwd ?? '',
    DROID_PROJECT_DIR: cwd ?? '',
    // It sets this one too, for scripts that were written for another client.
    CLAUDE_PROJECT_DIR: cwd ?? '',
  }),
  envFile: (event) => (event === 'SessionStart' ? 'CLAUDE_ENV_FILE' : null),
  common: (changes, _, call) => renamed(changes, inverse(wordsOf(call?.name ?? ''))),
  matches,
  interpret,
});

function wordsOf(tool: string): Readonly<Record<string, string>> {
  return entryOf(ARGUMENTS, tool) ?? {};
}

function describe(tool: ToolCall | ToolResult): readonly CommonCall[] {
  const call = commonCall(tool, outputText, wordsOf(tool.name));
  const patch = patchIn(tool);
  return patch === null ? [call] : commonPatch(call, patch);
}

function outputText(response: unknown): string {
  return typeof response === 'string' ? printedBy(response) : JSON.stringify(response ?? '');
}

/** The exact word, or a pattern that is found anywhere in it; one that is not a pattern matches nothing. */
function matches(matcher: string, subject: string): boolean {
  return matcher === subject || isFoundIn(matcher, [subject]);
}

function fields(event: HookEvent): HookFields | null {
  switch (event.type) {
    case 'session_start':
      return { hook_event_name: 'SessionStart', source: event.trigger };
    case 'session_end':
      return { hook_event_name: 'SessionEnd', reason: event.reason };
    case 'before_agent':
      return { hook_event_name: 'UserPromptSubmit', prompt: event.prompt, has_images: false };
    case 'stop':
    case 'after_agent':
      return { hook_event_name: 'Stop', stop_hook_active: event.stopHookActive };
    case 'subagent_stop':
      return {
        hook_event_name: 'SubagentStop',
        task_name: event.subagentType,
        task_result: event.lastAssistantMessage ?? '',
        stop_hook_active: event.stopHookActive,
      };
    case 'pre_compact':
      return {
        hook_event_name: 'PreCompact',
        trigger: event.trigger,
        ...(event.instructions === null ? {} : { custom_instructions: event.instructions }),
      };
    case 'notification':
      return { hook_event_name: 'Notification', message: event.message, notification_type: event.kind };
    default:
      return null;
  }
}

function toolFields(event: HookEvent, call: CommonCall): HookFields | null {
  const tool = {
    tool_name: call.mcp ? mcpName(call.mcp) : NAMES.native(call.name),
    tool_input: renamed(call.input, wordsOf(call.name)),
  };
  if (event.type === 'before_tool') return { hook_event_name: 'PreToolUse', ...tool };
  if (event.type !== 'after_tool' || call.result === null) return null;
  const { output, outcome } = call.result;
  // This client says nothing of calls that failed.
  if (outcome === 'failed' || outcome === 'interrupted') return null;
  const end = call.name === 'Bash' ? '\n\n[Process exited with code 0]' : '';
  return { hook_event_name: 'PostToolUse', ...tool, tool_response: `${output}${end}` };
}

/** How 0.225.2 reads a hook's output: JSON counts with any exit code, 2 refuses, 3 ends the turn. */
function interpret(_event: HookEvent, presented: Presented, run: HookRun): Verdict {
  const broken = unfinished(run);
  if (broken !== null) return broken;
  const { event } = presented;
  const text = run.stdout.trim();
  const output = text.startsWith('{') ? parseRecord(text) : null;
  const response = responseOf(presented, output ?? {}, run);
  if (output !== null || run.exit === 2 || run.exit === 3) return answered(response);
  if (run.exit !== 0) return failed(describeExit(run.exit ?? 1, run.stderr));
  const isContext = event === 'SessionStart' || event === 'UserPromptSubmit';
  return isContext && text !== '' ? answered({ decision: 'none', context: text }) : silent();
}

function responseOf(presented: Presented, output: Record<string, unknown>, run: HookRun): HookResponse {
  const { event } = presented;
  const own = isObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const draft: ResponseDraft = { decision: 'none' };
  const form = formOf(event) ?? {};
  const stopReason = textIn(output.stopReason) ?? textIn(run.stderr.trim()) ?? 'Ended by a hook.';
  const ends = output.continue === false || run.exit === 3;
  if (ends && event === 'UserPromptSubmit') Object.assign(draft, { decision: 'deny', reason: stopReason });
  else if (ends && (form.halt === 'wins' || form.halt === 'turn')) draft.halt = stopReason;
  else decide(event, output, own, run, draft);
  if (event === 'PreToolUse') addChanges(presented, own.updatedInput, draft);
  const context = textIn(own.additionalContext);
  if (context !== undefined && (form.context === 'own' || form.context === 'unless-refused'))
    draft.context = context;
  const message = textIn(output.systemMessage);
  if (message !== undefined && form.systemMessage) draft.systemMessage = message;
  return draft;
}

function decide(
  event: string,
  output: Record<string, unknown>,
  own: Record<string, unknown>,
  run: HookRun,
  draft: ResponseDraft,
): void {
  const stderr = textIn(run.stderr.trim()) ?? 'Blocked by a hook.';
  const word = event === 'PreToolUse' ? own.permissionDecision : undefined;
  const reason = textIn(word === 'deny' ? own.permissionDecisionReason : output.reason);
  if (word === 'deny') Object.assign(draft, { decision: 'deny', reason: reason ?? 'Denied by a hook.' });
  // Also beside an "allow" in JSON.
  else if (run.exit === 2 && formOf(event)?.refusal !== undefined)
    Object.assign(draft, { decision: 'deny', reason: stderr });
  else if (run.exit === 2 && event === 'PostToolUse') draft.context = stderr;
  // A question means no decision here, and a refusal to stop without a reason is none.
  else if (word === 'allow') draft.decision = 'allow';
  else if (event === 'Stop' && output.decision === 'block' && reason !== undefined)
    Object.assign(draft, { decision: 'deny', reason });
}
