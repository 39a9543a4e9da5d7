import * as v from 'valibot';
import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import type { HookResponse } from '../../model/responses.ts';
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
import type { PlacedHandler } from '../setup/hook-groups.ts';
import { type AgentImports, type HookSource, importsFrom, scopedSources } from '../setup/imports.ts';
import type { SetupContext } from '../setup/setup.ts';
import { NAMES, payloads, printedBy, resultText } from './decode.ts';
import { formOf } from './encode.ts';
import { hooksPath, ours, settings } from './setup.ts';

/** Qwen Code 0.24.4 as hooks see it. */
export const dialect: Dialect = hookDialect({
  id: 'qwen',
  timeoutUnit: 's',
  defaultTimeoutMs: 60_000,
  events: payloads.names,
  shell: (command) => ['bash', '-c', command],
  describe: (tool) => [commonCall(tool, outputText, tool.name === 'Bash' ? SHELL : {})],
  fields,
  toolFields,
  payload: (event, own) => ({
    session_id: event.sessionId,
    transcript_path: event.transcriptPath ?? '',
    cwd: event.cwd ?? '',
    timestamp: new Date(event.timestamp).toISOString(),
    permission_mode: event.permissionMode ?? 'default',
    ...own,
  }),
  subjects: {
    PreToolUse: 'tool_name',
    PermissionRequest: 'tool_name',
    PostToolUse: 'tool_name',
    PostToolUseFailure: 'tool_name',
    SessionStart: 'source',
    Notification: 'notification_type',
    SubagentStart: 'agent_type',
    SubagentStop: 'agent_type',
  },
  env: ({ cwd, sessionId }) => ({
    QWEN_PROJECT_DIR: cwd ?? '',
    // It sets these two for scripts that were written for other clients.
    CLAUDE_PROJECT_DIR: cwd ?? '',
    GEMINI_PROJECT_DIR: cwd ?? '',
    QWEN_CODE_SESSION_ID: sessionId,
  }),
  common: (changes, _, call) => renamed(changes, call?.name === 'Bash' ? inverse(SHELL) : {}),
  matches,
  interpret,
});

/** Its own words for arguments of a shell. */
const SHELL = { run_in_background: 'is_background' };

function outputText(response: unknown): string {
  return printedBy(resultText(response) ?? '');
}

/** A word or a list of words is exact, by the native or the common name; all else is a pattern (0.24.4). */
function matches(matcher: string, subject: string): boolean {
  const names = [subject, NAMES.canonical(subject)];
  if (/^[\w|]+$/.test(matcher))
    return matcher.split('|').some((one) => names.includes(NAMES.native(one)) || names.includes(one));
  return isFoundIn(matcher, names);
}

function fields(event: HookEvent): HookFields | null {
  switch (event.type) {
    case 'session_start':
      return { hook_event_name: 'SessionStart', source: event.trigger, model: event.model ?? '' };
    case 'session_end':
      return { hook_event_name: 'SessionEnd', reason: event.reason };
    case 'before_agent':
      return { hook_event_name: 'UserPromptSubmit', prompt: event.prompt, submitted_prompt: event.prompt };
    case 'stop':
    case 'after_agent':
      return {
        hook_event_name: 'Stop',
        stop_hook_active: event.stopHookActive,
        last_assistant_message: event.lastAssistantMessage ?? '',
        background_tasks: [],
        crons: [],
      };
    case 'pre_compact':
      return {
        hook_event_name: 'PreCompact',
        trigger: event.trigger,
        custom_instructions: event.instructions ?? '',
      };
    case 'notification':
      return {
        hook_event_name: 'Notification',
        message: event.message,
        title: event.title ?? '',
        notification_type: event.kind,
      };
    default:
      return null;
  }
}

function toolFields(event: HookEvent, call: CommonCall): HookFields | null {
  const tool = {
    tool_name: call.mcp ? `mcp__${call.mcp.server}__${call.mcp.tool}` : NAMES.native(call.name),
    tool_input: renamed(call.input, call.name === 'Bash' ? SHELL : {}),
  };
  const id = { tool_use_id: call.useId ?? '', tool_call_id: call.useId ?? '' };
  if (event.type === 'permission_request') return { hook_event_name: 'PermissionRequest', ...tool };
  if (event.type === 'before_tool') return { hook_event_name: 'PreToolUse', ...tool, ...id };
  if (event.type !== 'after_tool' || call.result === null) return null;
  const { output, error, outcome, durationMs } = call.result;
  const duration_ms = durationMs ?? 0;
  if (outcome === 'failed' || outcome === 'interrupted') {
    const is_interrupt = outcome === 'interrupted';
    return {
      hook_event_name: 'PostToolUseFailure',
      ...tool,
      ...id,
      error: error ?? output,
      is_interrupt,
      duration_ms,
    };
  }
  const tool_response = { llmContent: output, returnDisplay: output };
  return { hook_event_name: 'PostToolUse', ...tool, ...id, tool_response, duration_ms };
}

/** How 0.24.4 reads a hook's output: exit code 2 counts by stderr alone, and JSON on stdout with any other code. */
function interpret(_event: HookEvent, presented: Presented, run: HookRun): Verdict {
  const cut = unfinished(run);
  if (cut) return cut;
  const text = (run.exit === 2 ? run.stderr : run.stdout).trim();
  const output = parseRecord(text);
  if (output) return answered(responseOf(presented, output));
  if (run.exit === 2 && text !== '') {
    const refusal = formOf(presented.event)?.refusal;
    // On a result the client reads no exit code.
    if (refusal === undefined || refusal === 'stop' || refusal === 'dialog')
      return failed(describeExit(2, text));
    return answered({ decision: 'deny', reason: text });
  }
  if (run.exit !== 0) return failed(describeExit(run.exit ?? 1, run.stderr));
  const isContext = presented.event === 'SessionStart' || presented.event === 'UserPromptSubmit';
  return isContext && text !== '' ? answered({ decision: 'none', context: text }) : silent();
}

function responseOf(presented: Presented, output: Record<string, unknown>): HookResponse {
  const { event } = presented;
  const own = isObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const draft: ResponseDraft = { decision: 'none' };
  const form = formOf(event) ?? {};
  if (event === 'PermissionRequest') answerDialog(presented, own, draft);
  else if (form.refusal !== undefined) decide(event, output, own, draft);
  const context = textIn(own.additionalContext);
  if (context !== undefined && (form.context === 'own' || form.context === 'unless-refused'))
    draft.context = context;
  const message = textIn(output.systemMessage);
  if (message !== undefined && form.systemMessage) draft.systemMessage = message;
  return draft;
}

function answerDialog(presented: Presented, own: Record<string, unknown>, draft: ResponseDraft): void {
  const decision = isObject(own.decision) ? own.decision : {};
  if (decision.behavior === 'deny')
    Object.assign(draft, { decision: 'deny', reason: textIn(decision.message) ?? 'No reason provided' });
  if (decision.behavior !== 'allow') return;
  draft.decision = 'allow';
  addChanges(presented, decision.updatedInput, draft);
}

function decide(
  event: string,
  output: Record<string, unknown>,
  own: Record<string, unknown>,
  draft: ResponseDraft,
): void {
  const word = own.permissionDecision ?? output.decision;
  const reason = textIn(own.permissionDecisionReason) ?? textIn(output.reason) ?? 'No reason provided';
  // On a result it reads `continue` alone; elsewhere that refuses, and ends no turn.
  const isRefused = event !== 'PostToolUse' && (word === 'deny' || word === 'block' || word === 'ask');
  if (isRefused) Object.assign(draft, { decision: word === 'ask' ? 'ask' : 'deny', reason });
  else if (output.continue === false)
    Object.assign(draft, { decision: 'deny', reason: textIn(output.stopReason) ?? reason });
}

const command = v.looseObject({
  type: v.optional(v.literal('command')),
  command: v.string(),
  timeout: v.optional(v.number()),
  env: v.optional(v.record(v.string(), v.string())),
});

/** Hooks in the settings and in extensions of others. */
export const imports: AgentImports = importsFrom({ id: 'qwen', sources, groups: settings.groups, entry });

function sources(context: SetupContext): readonly HookSource[] {
  return [...scopedSources(context, hooksPath), ...ours.others(context)];
}

function entry({ handler }: PlacedHandler) {
  if (!v.is(command, handler)) return { why: 'it is not a command, and Qwen Code runs it itself' };
  const { timeout } = handler;
  return {
    type: 'command',
    command: handler.command,
    ...(handler.env ? { env: handler.env } : {}),
    // 1000 and more are milliseconds (0.24.4).
    ...(timeout === undefined ? {} : { timeout: timeout >= 1000 ? `${timeout}ms` : `${timeout}s` }),
  };
}
