import * as v from 'valibot';
import type { HookEvent } from '../../model/events.ts';
import { isObject, parseJson } from '../../model/json.ts';
import { entryOf } from '../../model/lookup.ts';
import type { HookResponse, ToolConfig } from '../../model/responses.ts';
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
  type Presented,
  parseRecord,
  patternOf,
  type ResponseDraft,
  renamed,
  silent,
  textIn,
  type Verdict,
} from '../kit/dialect.ts';
import type { PlacedHandler } from '../setup/hook-groups.ts';
import { type AgentImports, type HookSource, importsFrom, scopedSources } from '../setup/imports.ts';
import type { SetupContext } from '../setup/setup.ts';
import { NAMES, NO_RESPONSE_TEXT, payloads } from './decode.ts';
import { formOf } from './encode.ts';
import { hooksPath, ours, settings } from './setup.ts';

/** Gemini CLI 0.61.0 as hooks see it. */
export const dialect: Dialect = hookDialect({
  id: 'gemini',
  timeoutUnit: 'ms',
  defaultTimeoutMs: 60_000,
  events: payloads.names,
  shell: (command) => ['bash', '-c', command],
  describe: (tool) => [commonCall(tool, outputText, entryOf(ARGUMENTS, tool.name))],
  fields,
  toolFields,
  payload,
  subjects: {
    BeforeTool: 'tool_name',
    AfterTool: 'tool_name',
    SessionStart: 'source',
    SessionEnd: 'reason',
    PreCompress: 'trigger',
  },
  env: ({ cwd, sessionId }) => ({
    GEMINI_PROJECT_DIR: cwd ?? '',
    GEMINI_CWD: cwd ?? '',
    // It sets this one too, for scripts that were written for another client.
    CLAUDE_PROJECT_DIR: cwd ?? '',
    GEMINI_SESSION_ID: sessionId,
  }),
  common: (changes, _, call) => renamed(changes, inverse(entryOf(ARGUMENTS, call?.name ?? '') ?? {})),
  matches,
  interpret,
});

/** Tools by pattern, sessions and compressions by the exact word; elsewhere a matcher is not read (0.61.0). */
function matches(matcher: string, subject: string, event: string): boolean {
  if (event !== 'BeforeTool' && event !== 'AfterTool') return matcher === subject;
  return patternOf(matcher)?.test(subject) ?? matcher === subject;
}

/** Where this client has another word for an argument than the common one. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Bash: { run_in_background: 'is_background' },
  Edit: { replace_all: 'allow_multiple' },
  Glob: { path: 'dir_path' },
  Grep: { path: 'dir_path', glob: 'include_pattern' },
  Ls: { path: 'dir_path' },
  Task: { subagent_type: 'agent_name' },
};

/** What the model sees, without the frame that marks it as untrusted. */
function outputText(response: unknown): string {
  const content = isObject(response) ? response.llmContent : response;
  const parts = Array.isArray(content) ? content : [content];
  const text = parts
    .map((part) => (isObject(part) ? part.text : part))
    .filter((part) => typeof part === 'string')
    .join('\n');
  const framed = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/.exec(text)?.[1] ?? text;
  return framed.replace(/^Output: /, '').replace(/\nProcess Group PGID: \d+\s*$/, '');
}

function payload(event: HookEvent, own: HookFields): Record<string, unknown> {
  return {
    session_id: event.sessionId,
    transcript_path: event.transcriptPath ?? '',
    cwd: event.cwd ?? '',
    timestamp: new Date(event.timestamp).toISOString(),
    ...own,
  };
}

function fields(event: HookEvent): HookFields | null {
  switch (event.type) {
    case 'session_start': {
      // It knows three; a fork or a compaction starts with what was there, as a resumed session does.
      const source = ['startup', 'resume', 'clear'].includes(event.trigger) ? event.trigger : 'resume';
      return { hook_event_name: 'SessionStart', source };
    }
    case 'session_end':
      return { hook_event_name: 'SessionEnd', reason: event.reason === 'clear' ? 'clear' : 'exit' };
    case 'before_agent':
      return { hook_event_name: 'BeforeAgent', prompt: event.prompt };
    case 'stop':
    case 'after_agent':
      return {
        hook_event_name: 'AfterAgent',
        prompt: event.type === 'after_agent' ? (event.prompt ?? '') : '',
        prompt_response: event.lastAssistantMessage ?? NO_RESPONSE_TEXT,
        stop_hook_active: event.stopHookActive,
      };
    case 'pre_compact':
      return { hook_event_name: 'PreCompress', trigger: event.trigger };
    case 'notification':
      return {
        hook_event_name: 'Notification',
        notification_type: 'ToolPermission',
        message: event.message,
        details: { type: 'info', title: event.title ?? '' },
      };
    default:
      return null;
  }
}

function toolFields(event: HookEvent, call: CommonCall): HookFields | null {
  const tool = {
    tool_name: call.mcp ? `mcp_${call.mcp.server}_${call.mcp.tool}` : NAMES.native(call.name),
    tool_input: renamed(call.input, ARGUMENTS[call.name] ?? {}),
    ...(call.mcp ? { mcp_context: { server_name: call.mcp.server, tool_name: call.mcp.tool } } : {}),
  };
  if (event.type === 'before_tool') return { hook_event_name: 'BeforeTool', ...tool };
  if (event.type !== 'after_tool' || call.result === null) return null;
  const { output, error, outcome } = call.result;
  const failure = { error: { message: error ?? output, type: 'execution_failed' } };
  const tool_response = {
    llmContent: output,
    returnDisplay: output,
    ...(outcome === 'failed' ? failure : {}),
  };
  return { hook_event_name: 'AfterTool', ...tool, tool_response };
}

/**
 * How 0.61.0 reads a hook's output: JSON on stdout, or on stderr when stdout is empty, counts whatever the exit code;
 * other text is a refusal for every code above 1.
 */
function interpret(_event: HookEvent, presented: Presented, run: HookRun): Verdict {
  if (run.timedOut) return failed('it took too long');
  const text = run.stdout.trim() || run.stderr.trim();
  const output = parsed(text);
  if (output) return answered(responseOf(presented, output));
  if (run.exit === null) return failed('it was ended by a signal');
  if (text === '') return run.exit === 0 ? silent() : failed(describeExit(run.exit, ''));
  if (run.exit === 0) return answered({ decision: 'none', systemMessage: text });
  const refusal = formOf(presented.event)?.refusal;
  if (run.exit === 1 || refusal === undefined) return failed(describeExit(run.exit, text));
  return answered({ decision: 'deny', reason: text });
}

/** JSON inside a JSON string is read too. */
function parsed(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return typeof value === 'string' ? parseRecord(value) : isObject(value) ? value : null;
}

function responseOf(presented: Presented, output: Record<string, unknown>): HookResponse {
  const { event } = presented;
  const own = isObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const draft: ResponseDraft = { decision: 'none' };
  const form = formOf(event) ?? {};
  if (form.refusal !== undefined) decide(event, output, draft);
  const context = textIn(own.additionalContext);
  if (context !== undefined && form.context !== undefined) draft.context = context;
  const message = textIn(output.systemMessage);
  if (message !== undefined) draft.systemMessage = message;
  if (output.suppressOutput === true) draft.suppressOutput = true;
  if (event === 'BeforeTool') addChanges(presented, own.tool_input, draft);
  addModelFields(event, own, draft);
  if (event === 'AfterAgent' && typeof own.clearContext === 'boolean')
    draft.native = { gemini: { clearContext: own.clearContext } };
  if (event === 'AfterTool' && isObject(own.tailToolCallRequest))
    draft.native = { gemini: { tailToolCallRequest: own.tailToolCallRequest } };
  return draft;
}

function decide(event: string, output: Record<string, unknown>, draft: ResponseDraft): void {
  const reason = textIn(output.stopReason) ?? textIn(output.reason) ?? 'No reason provided';
  const { decision } = output;
  // "allow" does not skip the client's own question, so it is not a permission here either.
  if (decision === 'deny' || decision === 'block') Object.assign(draft, { decision: 'deny', reason });
  else if (decision === 'ask' && event === 'BeforeTool') Object.assign(draft, { decision: 'ask', reason });
  if (output.continue !== false) return;
  draft.halt = reason;
  // The call itself does not happen either.
  if (event === 'BeforeTool') Object.assign(draft, { decision: 'deny', reason });
}

function addModelFields(event: string, own: Record<string, unknown>, draft: ResponseDraft): void {
  if (event === 'BeforeModel' && isObject(own.llm_request)) draft.llmRequest = own.llm_request;
  const replaced = event === 'AfterModel' || (event === 'BeforeModel' && draft.decision === 'deny');
  if (replaced && isObject(own.llm_response)) draft.llmResponse = own.llm_response;
  if (event === 'BeforeToolSelection' && isObject(own.toolConfig))
    draft.toolConfig = toolConfig(own.toolConfig);
}

function toolConfig({ mode, allowedFunctionNames: names }: Record<string, unknown>): ToolConfig {
  return {
    ...(mode === 'AUTO' || mode === 'ANY' || mode === 'NONE' ? { mode } : {}),
    ...(Array.isArray(names)
      ? { allowedFunctionNames: names.filter((name) => typeof name === 'string') }
      : {}),
  };
}

const command = v.looseObject({
  type: v.literal('command'),
  command: v.string(),
  timeout: v.optional(v.number()),
  env: v.optional(v.record(v.string(), v.string())),
});

/** Hooks of settings and of extensions. */
export const imports: AgentImports = importsFrom({ id: 'gemini', sources, groups: settings.groups, entry });

function sources(context: SetupContext): readonly HookSource[] {
  return [...scopedSources(context, hooksPath), ...ours.others(context)];
}

function entry({ handler }: PlacedHandler, { path }: HookSource) {
  if (!v.is(command, handler))
    return { why: 'Gemini CLI runs only command hooks, and so it does not run this one' };
  // Extensions have a word for their own folder, which the client replaces when it loads them.
  const folder = path.replace(/[\\/]hooks[\\/]hooks\.json$/, '');
  const fill = (text: string) => text.replace(/\$\{extensionPath\}/g, () => folder).replace(/\$\{\/\}/g, '/');
  return {
    type: 'command',
    command: fill(handler.command),
    ...(handler.env ? { env: handler.env } : {}),
    ...(handler.timeout === undefined ? {} : { timeout: `${handler.timeout}ms` }),
  };
}
