import type { HookEvent } from '../../model/events.ts';
import type { HookResponse, ToolConfig } from '../../model/responses.ts';
import {
  describeExit,
  failed,
  type HookRun,
  type Presented,
  type ResponseDraft,
  replacement,
  silent,
  textIn,
  type Verdict,
} from '../dialect.ts';
import { isObject } from '../loose-json.ts';

// Seen in 0.61.0; on the other events a decision and an end of the turn are not read.
const REFUSABLE: ReadonlySet<string> = new Set([
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
]);
const WITH_CONTEXT: ReadonlySet<string> = new Set(['SessionStart', 'BeforeAgent', 'AfterTool']);

/**
 * What 0.61.0 would make of a hook's output: JSON on stdout, or on stderr when stdout is empty, counts whatever the exit
 * code; other text is a refusal for every code above 1.
 */
export function interpret(_event: HookEvent, presented: Presented, run: HookRun): Verdict {
  if (run.timedOut) return failed('it took too long');
  const text = run.stdout.trim() || run.stderr.trim();
  const output = parsed(text);
  if (output) return { response: responseOf(presented, output), problem: null };
  if (run.exit === null) return failed('it was ended by a signal');
  if (text === '') return run.exit === 0 ? silent() : failed(describeExit(run.exit, ''));
  if (run.exit === 0) return { response: { decision: 'none', systemMessage: text }, problem: null };
  if (run.exit === 1) return failed(describeExit(1, text));
  if (!REFUSABLE.has(presented.event)) return failed(describeExit(run.exit, text));
  return { response: { decision: 'deny', reason: text }, problem: null };
}

/** JSON inside a JSON string is read too. */
function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const inner: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return isObject(inner) ? inner : null;
  } catch {
    return null;
  }
}

function responseOf(presented: Presented, output: Record<string, unknown>): HookResponse {
  const own = isObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const draft: ResponseDraft = { decision: 'none' };
  if (REFUSABLE.has(presented.event)) decide(presented, output, draft);
  const context = textIn(own.additionalContext);
  if (context !== undefined && WITH_CONTEXT.has(presented.event)) draft.context = context;
  const message = textIn(output.systemMessage);
  if (message !== undefined) draft.systemMessage = message;
  if (presented.event === 'BeforeTool' && isObject(own.tool_input) && draft.decision !== 'deny') {
    const before = presented.payload.tool_input;
    const changes = replacement(isObject(before) ? before : {}, own.tool_input);
    if (Object.keys(changes).length > 0) draft.modifyArgs = changes;
  }
  addModelFields(presented, own, draft);
  const native = nativeFields(presented, own);
  if (Object.keys(native).length > 0) draft.native = { gemini: native };
  return draft;
}

function decide(presented: Presented, output: Record<string, unknown>, draft: ResponseDraft): void {
  const reason = textIn(output.stopReason) ?? textIn(output.reason) ?? 'No reason provided';
  const { decision } = output;
  // "allow" does not skip the client's own question, so it is no permission here either.
  if (decision === 'deny' || decision === 'block') Object.assign(draft, { decision: 'deny', reason });
  else if (decision === 'ask' && presented.event === 'BeforeTool')
    Object.assign(draft, { decision: 'ask', reason });
  if (output.continue !== false) return;
  draft.halt = reason;
  // The call that was asked about does not happen either.
  if (presented.event === 'BeforeTool') Object.assign(draft, { decision: 'deny', reason });
}

function addModelFields(presented: Presented, own: Record<string, unknown>, draft: ResponseDraft): void {
  if (presented.event === 'BeforeModel' && isObject(own.llm_request)) draft.llmRequest = own.llm_request;
  const replaced =
    presented.event === 'AfterModel' || (presented.event === 'BeforeModel' && draft.decision === 'deny');
  if (replaced && isObject(own.llm_response)) draft.llmResponse = own.llm_response;
  if (presented.event === 'BeforeToolSelection' && isObject(own.toolConfig))
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

function nativeFields({ event }: Presented, own: Record<string, unknown>): Record<string, unknown> {
  if (event === 'AfterAgent' && typeof own.clearContext === 'boolean')
    return { clearContext: own.clearContext };
  if (event === 'AfterTool' && isObject(own.tailToolCallRequest))
    return { tailToolCallRequest: own.tailToolCallRequest };
  return {};
}
