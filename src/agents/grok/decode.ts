import * as v from 'valibot';
import { isObject } from '../../model/json.ts';
import type { McpTarget, ToolCall, ToolResult } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, extraFields, flag, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { numberAt, objectAt, textAt } from '../kit/loose-json.ts';
import { fileOperation, hookTools, type ToolNames, toolNames } from '../kit/tools.ts';

// The JSON that Grok 1.0.41 sends to hooks. It has most fields in two spellings; these are the ones of which there is
// only one, and the snake-case ones of the others. Keys that are not named here pass.
const BASE = {
  session_id: requiredText,
  hook_event_name: text,
  transcript_path: text,
  cwd: text,
  timestamp: text,
  permission_mode: text,
};

const TOOL = {
  tool_name: requiredText,
  // Above 128 KiB a piece of its text, which no rule could judge: see `unread`.
  tool_input: v.union([
    anyObject,
    v.pipe(
      v.string(),
      v.transform(() => ({})),
    ),
  ]),
  tool_use_id: text,
};
const RESULT = { tool_response: v.optional(v.unknown()), duration_ms: v.nullish(v.number()) };
const TURN = { stopHookActive: flag, lastAssistantMessage: text };

const wire = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });
const anyWire = wire({});

const row = payloadRows({
  source: 'grok',
  label: 'Grok',
  common: (payload: v.InferOutput<typeof anyWire>) => ({
    permissionMode: payload.permission_mode ?? null,
    // Each subagent has a session of its own.
    agentId: null,
    metadata: extraFields(payload, EXTRA),
    sentAt: payload.timestamp,
  }),
});

/** Native fields that no event type has a place for, by our own names. */
const EXTRA = [
  ['promptId', 'promptId'],
  ['subagentType', 'subagentType'],
  ['isBackgrounded', 'background'],
  ['cancelledBy', 'cancelledBy'],
] as const;

const backgroundTask = v.pipe(
  v.looseObject({ id: textOrEmpty, type: named, status: named, description: text, command: text }),
  v.transform(({ id, type, status, description, command }) => ({
    id,
    kind: type,
    status,
    description: description ?? command ?? '',
  })),
);

/** Its words for what begins a session, in ours. */
const TRIGGERS: Readonly<Record<string, string>> = { new: 'startup', load: 'resume' };

const EVENTS = {
  // Not for a subagent. It and the first prompt come in either order.
  SessionStart: row(wire({ source: named }), ({ source }) => ({
    type: 'session_start',
    trigger: TRIGGERS[source] ?? source,
    model: null,
    title: null,
  })),
  // Also for each subagent, in its own session.
  SessionEnd: row(wire({ reason: named }), ({ reason }) => ({ type: 'session_end', reason })),
  // Also for the task of a subagent, and for a task in the background that has ended.
  UserPromptSubmit: row(wire({ prompt: v.string() }), ({ prompt }) => ({
    type: 'before_agent',
    prompt,
    title: null,
  })),
  PreToolUse: row(wire(TOOL), (w) => ({ type: 'before_tool', tool: tools.call(...target(w)) })),
  PermissionDenied: row(wire(TOOL), (w) => ({
    type: 'permission_denied',
    tool: tools.call(...target(w)),
    reason: '',
  })),
  // Also for a command that failed, and for a file that is not there.
  PostToolUse: row(wire({ ...TOOL, ...RESULT }), (w) => ({
    type: 'after_tool',
    tool: toolResult(w, resultOf(w.tool_response ?? null)),
  })),
  PostToolUseFailure: row(wire({ ...TOOL, ...RESULT, error: text, is_interrupt: flag }), (w) => ({
    type: 'after_tool',
    tool: toolResult(w, {
      response: w.tool_response ?? null,
      error: w.error ?? null,
      outcome: w.is_interrupt ? 'interrupted' : 'failed',
    }),
  })),
  // Once more at the end of a session, where nothing is left to refuse.
  Stop: row(wire({ ...TURN, reason: named, backgroundTasks: v.nullish(v.array(backgroundTask), []) }), (w) =>
    w.reason === 'shutdown'
      ? { type: 'session_end', reason: w.reason }
      : { type: 'stop', ...turn(w), backgroundTasks: w.backgroundTasks },
  ),
  StopFailure: row(wire({ error: named, errorDetails: text, lastAssistantMessage: text }), (w) => ({
    type: 'stop_failure',
    error: w.error,
    details: w.errorDetails ?? null,
    lastAssistantMessage: w.lastAssistantMessage ?? null,
  })),
  StopCancelled: row(wire({ reason: named, reasonDetails: text }), (w) => ({
    type: 'interrupt',
    reason: w.reasonDetails ? `${w.reason}: ${w.reasonDetails}` : w.reason,
  })),
  Notification: row(wire({ message: textOrEmpty, notificationType: named }), (w) => ({
    type: 'notification',
    message: w.message,
    title: null,
    kind: w.notificationType,
  })),
  // In the parent's session.
  SubagentStart: row(wire({ subagentId: text, subagentType: named }), (w) => ({
    type: 'subagent_start',
    subagentId: w.subagentId ?? null,
    subagentType: w.subagentType,
  })),
  // In the session of the subagent.
  SubagentStop: row(wire({ ...TURN, subagentId: text, subagentType: named }), (w) => ({
    type: 'subagent_stop',
    ...turn(w),
    backgroundTasks: [],
    subagentId: w.subagentId ?? null,
    subagentType: w.subagentType,
    subagentTranscriptPath: w.transcript_path ?? null,
  })),
  PreCompact: row(wire({ source: named }), ({ source }) => ({
    type: 'pre_compact',
    trigger: source,
    instructions: null,
  })),
  PostCompact: row(wire({ source: named }), ({ source }) => ({
    type: 'post_compact',
    trigger: source,
    summary: null,
  })),
};

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Grok',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
});

/** It runs the hooks in Claude's settings, too. No other client sends both names of an event (1.0.41). */
export function sends(payload: unknown): boolean {
  return (
    isObject(payload) &&
    typeof payload.hookEventName === 'string' &&
    typeof payload.hook_event_name === 'string' &&
    typeof payload.workspaceRoot === 'string'
  );
}

/** What the client kept back: of arguments above 128 KiB it sends a piece of their text (1.0.41). */
export function unread(payload: unknown): string | null {
  const isCut = isObject(payload) && (payload.toolInputTruncated === true || isText(payload.tool_input));
  return isCut ? 'Grok sends only the first 128 KiB of the arguments of a call' : null;
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** Canonical name, then the client's own (1.0.41), then those that mean the same. */
const NAMES: ToolNames = toolNames([
  ['Bash', 'run_terminal_command', 'monitor'],
  ['Read', 'read_file'],
  ['Write', 'write'],
  ['Edit', 'search_replace'],
  ['Grep', 'grep'],
  ['Ls', 'list_dir'],
  ['Task', 'spawn_subagent'],
  ['TodoWrite', 'todo_write'],
  ['WebSearch', 'web_search'],
  ['AskUserQuestion', 'ask_user_question'],
  ['EnterPlanMode', 'enter_plan_mode'],
  ['ExitPlanMode', 'exit_plan_mode'],
]);

const tools = hookTools({ names: NAMES, files: filesOf });

export const { withInput } = tools;

type CallWire = { readonly tool_name: string; readonly tool_input: Readonly<Record<string, unknown>> };

/** A tool of a server is called through another one, whose arguments are the tool and its arguments. */
function target<W extends CallWire>(w: W): [W, McpTarget | null] {
  const inner =
    textAt(w.tool_input, 'tool_name') === w.tool_name ? objectAt(w.tool_input, 'tool_input') : null;
  const [, server, tool] = /^(.+?)__(.+)$/s.exec(w.tool_name) ?? [];
  if (server === undefined || tool === undefined) return [w, null];
  return [inner === null ? w : { ...w, tool_input: inner }, { server, tool }];
}

/** Arguments as the client takes them back. */
export function nativeInput({ mcp, nativeName }: ToolCall, input: ToolCall['input']): ToolCall['input'] {
  return mcp === null ? input : { tool_name: nativeName, tool_input: input };
}

/** Paths are as the model wrote them, often relative to the working directory. */
function filesOf({ name, input }: Pick<ToolCall, 'name' | 'input'>, response: unknown) {
  const path = textAt(input, 'file_path') ?? textAt(input, 'target_file');
  if (path === null) return [];
  const isNew = textAt(editIn(response), 'old_string') === '';
  return fileOperation(name, path, isNew);
}

/** What a call that writes has changed. */
export function editIn(response: unknown): unknown {
  return objectAt(response, 'EditsApplied');
}

function toolResult(
  w: CallWire & { readonly duration_ms?: number | null | undefined },
  result: Pick<ToolResult, 'response' | 'error' | 'outcome'>,
): ToolResult {
  const [call, mcp] = target(w);
  return tools.result(call, { ...result, durationMs: w.duration_ms ?? null }, mcp);
}

/** Null for everything that is not a command. */
export function exitCodeIn(response: unknown): number | null {
  return textAt(response, 'type') === 'Bash' ? numberAt(response, 'exit_code') : null;
}

/** The exit code of a command is in its result, and a file that is not there is a result like any other. */
function resultOf(response: unknown): Pick<ToolResult, 'response' | 'error' | 'outcome'> {
  const code = exitCodeIn(response);
  const missing = textAt(response, 'FileNotFound');
  const error = missing ?? (code === null || code === 0 ? null : `Exit code ${code}`);
  return { response, error, outcome: error === null ? 'ok' : 'failed' };
}

function turn(w: {
  readonly stopHookActive?: boolean | null | undefined;
  readonly lastAssistantMessage?: string | null | undefined;
}) {
  return { stopHookActive: w.stopHookActive ?? false, lastAssistantMessage: w.lastAssistantMessage || null };
}

/** Its own words for arguments, by the common ones. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Read: { file_path: 'target_file' },
  Ls: { path: 'target_directory' },
};

/** What the client would send before a call of this tool. */
export function toolPayload({ id, cwd, tool, input }: ToolRequest): unknown {
  const name = NAMES.native(tool);
  const words = ARGUMENTS[NAMES.canonical(tool)] ?? {};
  const own = Object.fromEntries(Object.entries(input).map(([key, value]) => [words[key] ?? key, value]));
  return {
    hookEventName: 'pre_tool_use',
    hook_event_name: 'PreToolUse',
    session_id: id,
    cwd,
    workspaceRoot: cwd,
    permission_mode: 'default',
    tool_name: name,
    tool_input: own,
    tool_use_id: id,
  };
}
