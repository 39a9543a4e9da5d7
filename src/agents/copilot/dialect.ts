import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
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
  type Verdict,
} from '../kit/dialect.ts';
import { textAt } from '../kit/loose-json.ts';
import { commonPatch } from '../kit/patch.ts';
import { camelName, NAMES, PATCH, payloads, printedBy, RENAMED, renamedBy } from './decode.ts';
import { formOf, nativeInput, WORDS } from './encode.ts';
import { resultText } from './history.ts';

const CAMEL_NAMES: readonly string[] = payloads.names.flatMap((name) => camelName(name) ?? []);

const base: Dialect = hookDialect({
  id: 'copilot',
  timeoutUnit: 's',
  defaultTimeoutMs: 30_000,
  events: [...payloads.names, ...CAMEL_NAMES],
  shell: (command) => ['bash', '-c', command],
  describe,
  fields,
  toolFields,
  payload: (event, own) => ({
    session_id: event.sessionId,
    timestamp: new Date(event.timestamp).toISOString(),
    cwd: event.cwd ?? '',
    ...own,
  }),
  subjects: { PreToolUse: 'tool_name', PermissionRequest: 'tool_name', PostToolUse: 'tool_name' },
  env: ({ cwd }) => ({
    COPILOT_CLI: '1',
    COPILOT_PROJECT_DIR: cwd ?? '',
    // It sets this one for scripts that were written for another client.
    CLAUDE_PROJECT_DIR: cwd ?? '',
  }),
  common: (changes) => renamed(changes, inverse(WORDS)),
  // A pattern has to match the whole name.
  matches: (matcher, subject, event) => isFoundIn(`^(?:${matcher})$`, namesOf(subject, event)),
  interpret,
});

/** Copilot CLI 1.0.102 as hooks see it: in two spellings, of which a hook chooses one by the name of its event. */
export const dialect: Dialect = {
  ...base,
  present(event, call, wanted) {
    const presented = base.present(event, call);
    if (presented === null || event.source === 'copilot')
      return presented && ownPresented(event, presented, wanted);
    const camel = camelName(presented.event);
    return camel !== null && wanted === camel ? inCamel(presented, camel) : presented;
  },
};

/** Its own event as it came, but with the arguments that earlier hooks have changed, in the client's own form. */
function ownPresented(event: HookEvent, presented: Presented, wanted: string | undefined): Presented {
  const name = payloads.nameOf({ event: event.nativeEvent, payload: event.native }) ?? event.nativeEvent;
  const { tool_input: _, ...rest } = presented.payload;
  const native = isObject(event.native) ? event.native : {};
  const key = ['toolInput', 'toolArgs'].find((one) => Object.hasOwn(native, one)) ?? 'tool_input';
  const payload = 'tool' in event ? { ...rest, [key]: nativeInput(event.tool.input) } : presented.payload;
  const own = {
    ...presented,
    event: name,
    payload,
    subject: textAt(payload, 'tool_name') ?? textAt(payload, 'toolName'),
  };
  const camel = camelName(name);
  return camel !== null && wanted === camel && Object.hasOwn(native, 'session_id')
    ? inCamel(own, camel)
    : own;
}

function inCamel(presented: Presented, event: string): Presented {
  const tool = textAt(presented.payload, 'tool_name');
  const own = tool === null ? {} : { toolName: ownName(tool) };
  return {
    ...presented,
    event,
    payload: { ...camelFields(presented.payload), ...own },
    subject: presented.subject === null ? null : (own.toolName ?? presented.subject),
  };
}

/** The words that stay as they are in both (1.0.102). */
const UNCHANGED: ReadonlySet<string> = new Set(['stop_hook_active']);

/** A payload in snake case as the client sends it to a hook that is registered in camel case. */
function camelFields(payload: Presented['payload']): Record<string, unknown> {
  const { hook_event_name: _, ...rest } = payload;
  const fields: Record<string, unknown> = renamedBy(rest, (key) => {
    const renamed = RENAMED.find(([snake]) => snake === key)?.[1];
    if (UNCHANGED.has(key)) return key;
    return renamed ?? key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  });
  if (typeof fields.timestamp === 'string') fields.timestamp = Date.parse(fields.timestamp);
  if (isObject(fields.toolResult)) fields.toolResult = camelFields(fields.toolResult);
  return fields;
}

/** The client's own names of tools, which camel case has; the others are the same in both. */
const OWN: Readonly<Record<string, string>> = {
  Bash: 'bash',
  Read: 'view',
  Write: 'create',
  Edit: 'edit',
  Grep: 'grep',
  Glob: 'glob',
  Agent: 'task',
  AskUserQuestion: 'ask_user',
  WebFetch: 'web_fetch',
  WebSearch: 'web_search',
  TodoWrite: 'update_todo',
};

function ownName(tool: string): string {
  return Object.hasOwn(OWN, tool) ? (OWN[tool] ?? tool) : tool;
}

/** In camel case only its own name counts, otherwise both do (1.0.102). */
function namesOf(subject: string, event: string): readonly string[] {
  return CAMEL_NAMES.includes(event)
    ? [subject]
    : [subject, ownName(subject), NAMES.native(NAMES.canonical(subject))];
}

function describe(tool: ToolCall | ToolResult): readonly CommonCall[] {
  const call = commonCall(tool, outputText, WORDS);
  const patch = textAt(tool.input, PATCH);
  return patch === null ? [call] : commonPatch(call, patch);
}

function outputText(response: unknown): string {
  return printedBy(resultText(response) ?? '');
}

function fields(event: HookEvent): HookFields | null {
  switch (event.type) {
    case 'session_start':
      return { hook_event_name: 'SessionStart', source: event.trigger === 'resume' ? 'resume' : 'new' };
    case 'session_end':
      return { hook_event_name: 'SessionEnd', reason: 'complete' };
    case 'before_agent':
      return { hook_event_name: 'UserPromptSubmit', prompt: event.prompt };
    case 'stop':
    case 'after_agent':
      return {
        hook_event_name: 'Stop',
        transcript_path: event.transcriptPath ?? '',
        stop_reason: 'end_turn',
        stop_hook_active: event.stopHookActive,
      };
    case 'pre_compact':
      return {
        hook_event_name: 'PreCompact',
        transcript_path: event.transcriptPath ?? '',
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
    tool_name: call.mcp ? `${call.mcp.server}-${call.mcp.tool}` : NAMES.native(call.name),
    tool_input: renamed(call.input, WORDS),
  };
  if (event.type === 'permission_request') return { hook_event_name: 'PermissionRequest', ...tool };
  if (event.type === 'before_tool') return { hook_event_name: 'PreToolUse', ...tool };
  if (event.type !== 'after_tool' || call.result === null) return null;
  const { output, error, outcome } = call.result;
  // A command that fails is a success to the client.
  if (outcome === 'failed' && call.name !== 'Bash')
    return { hook_event_name: 'PostToolUseFailure', ...tool, error: error ?? output };
  return {
    hook_event_name: 'PostToolUse',
    ...tool,
    tool_result: { result_type: 'success', text_result_for_llm: output },
  };
}

/** The event of a presentation by the name that its form is under. */
function formFor(event: string) {
  const name = payloads.nameOf({ event, payload: null }) ?? event;
  return { name, form: formOf(name) ?? {} };
}

/**
 * How 1.0.102 reads a hook's output: one JSON document with exit code 0, and any other code as a refusal before tools.
 * Lines about progress may come before it.
 */
function interpret(_event: HookEvent, presented: Presented, run: HookRun): Verdict {
  // A hook that takes too long has no objection.
  if (run.timedOut) return failed('it took too long');
  const { name } = formFor(presented.event);
  const output = parseRecord(withoutProgress(run.stdout));
  if (run.exit === 0) return output ? answered(responseOf(presented, output)) : silent();
  const problem = run.exit === null ? 'it was ended by a signal' : describeExit(run.exit, run.stderr);
  if (name !== 'PreToolUse' && name !== 'PermissionRequest') return failed(problem);
  const said = run.exit === 2 && output ? responseOf(presented, output) : null;
  return answered({
    decision: 'deny',
    reason: (said?.decision === 'deny' && said.reason) || `A hook refused: ${problem}`,
  });
}

function withoutProgress(stdout: string): string {
  const lines = stdout.trim().split('\n');
  const first = lines.findIndex((line) => parseRecord(line)?.type !== 'progress');
  return first === -1 ? '' : lines.slice(first).join('\n');
}

/** Everything counts at the top, and before a tool, in the first spelling only, in `hookSpecificOutput` too. */
function responseOf(presented: Presented, output: Record<string, unknown>): HookResponse {
  const { name, form } = formFor(presented.event);
  const nested = presented.event === 'PreToolUse' && isObject(output.hookSpecificOutput);
  const own: Record<string, unknown> = nested ? { ...output, ...Object(output.hookSpecificOutput) } : output;
  const draft: ResponseDraft = { decision: 'none' };
  decide(name, own, draft);
  if (name === 'PreToolUse')
    addChanges(presented, inputOf(own.modifiedArgs ?? (nested ? own.updatedInput : null)), draft);
  const context = textIn(own.additionalContext);
  if (context !== undefined && (form.context === 'own' || form.context === 'unless-refused'))
    draft.context = context;
  if (name === 'PostToolUse') {
    const text = textIn(isObject(output.modifiedResult) ? output.modifiedResult.textResultForLlm : null);
    if (text !== undefined && draft.decision === 'none') draft.replaceOutput = text;
  }
  return draft;
}

function inputOf(given: unknown): unknown {
  return typeof given === 'string' ? { [PATCH]: given } : given;
}

/** The words of each event; a word that it does not have is ignored, however it is spelt. */
function decide(name: string, own: Record<string, unknown>, draft: ResponseDraft): void {
  const word = { PreToolUse: own.permissionDecision, PermissionRequest: own.behavior }[name] ?? null;
  const { refusal } = formOf(name) ?? {};
  if (refusal === 'block') {
    if (own.decision === 'block')
      Object.assign(draft, { decision: 'deny', reason: textIn(own.reason) ?? 'No reason provided' });
    return;
  }
  if (word === 'allow') draft.decision = 'allow';
  if (word !== 'deny' && !(word === 'ask' && name === 'PreToolUse')) return;
  const reason = textIn(own.permissionDecisionReason) ?? textIn(own.message) ?? 'No reason provided';
  Object.assign(draft, { decision: word, reason });
}
