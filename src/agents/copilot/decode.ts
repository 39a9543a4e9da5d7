import * as v from 'valibot';
import { DecodeError } from '../../model/errors.ts';
import { isObject, parseJson } from '../../model/json.ts';
import type { FileOperation, McpTarget, ToolCall, ToolResult } from '../../model/tools.ts';
import { anyObject, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { textAt } from '../kit/loose-json.ts';
import { patchOperations } from '../kit/patch.ts';
import { fileOperation, hookTools, mcpTargetIn, type ToolNames, toolNames } from '../kit/tools.ts';

// The JSON that Copilot CLI 1.0.102 sends to hooks, once it is in snake case. Keys that are not named here pass.
const BASE = {
  session_id: requiredText,
  cwd: text,
  transcript_path: text,
  timestamp: text,
  /** These three only inside a subagent, and where one begins or ends. */
  agent_id: text,
  agent_type: named,
  parent_agent_id: text,
};

const TOOL = { tool_name: requiredText, tool_input: anyObject };
const RESULT = {
  tool_result: v.nullish(v.looseObject({ result_type: text, text_result_for_llm: textOrEmpty })),
};
const TURN = {
  stop_hook_active: v.nullish(v.boolean(), false),
  stop_reason: text,
  last_assistant_message: text,
};

const wire = <const E extends v.ObjectEntries>(entries: E) =>
  v.pipe(anyObject, v.transform(snakeFields), v.looseObject({ ...BASE, ...entries }));
const anyWire = wire({});
const turnWire = wire(TURN);
const callWire = wire(TOOL);
const resultWire = wire({ ...TOOL, ...RESULT });

const row = payloadRows({
  source: 'copilot',
  label: 'Copilot CLI',
  common: (payload: v.InferOutput<typeof anyWire>) => ({
    permissionMode: null,
    agentId: payload.agent_id ?? null,
    metadata: payload.agent_id ? { agentType: payload.agent_type } : {},
    sentAt: payload.timestamp,
  }),
});

const EVENTS = {
  // It comes with the first prompt, and may arrive after it.
  SessionStart: row(wire({ source: named }), ({ source }) => ({
    type: 'session_start',
    trigger: source === 'new' ? 'startup' : source,
    model: null,
    title: null,
  })),
  // Also for the task of a subagent, and for the reason why a turn was not let end.
  UserPromptSubmit: row(wire({ prompt: v.string() }), ({ prompt }) => ({
    type: 'before_agent',
    prompt,
    title: null,
  })),
  PreToolUse: row(callWire, (w) => ({ type: 'before_tool', tool: readableCall(w) })),
  PermissionRequest: row(callWire, (w) => ({
    type: 'permission_request',
    tool: readableCall(w),
    suggestions: [],
    // It comes also under --allow-all (1.0.102).
    unsure: true,
  })),
  PostToolUse: row(resultWire, (w) => ({ type: 'after_tool', tool: resultOf(w) })),
  PostToolUseFailure: row(wire({ ...TOOL, error: textOrEmpty }), (w) => ({
    type: 'after_tool',
    tool: tools.result(
      ownFields(w),
      { response: w.error, error: w.error, outcome: 'failed', durationMs: null },
      mcpTarget(w.tool_name),
    ),
  })),
  // A subagent has one of its own, which ends no turn: no answer to it is read, and SubagentStop follows.
  Stop: row(turnWire, (w) =>
    w.agent_id ? { type: 'unknown', problem: null } : { type: 'stop', ...turn(w) },
  ),
  SubagentStart: row(anyWire, (w) => ({
    type: 'subagent_start',
    subagentId: w.agent_id ?? null,
    subagentType: w.agent_type,
  })),
  SubagentStop: row(turnWire, (w) => ({
    type: 'subagent_stop',
    ...turn(w),
    subagentId: w.agent_id ?? null,
    subagentType: w.agent_type,
    // It writes into the file of its parent.
    subagentTranscriptPath: null,
  })),
  PreCompact: row(wire({ trigger: named, custom_instructions: text }), (w) => ({
    type: 'pre_compact',
    trigger: w.trigger,
    instructions: w.custom_instructions || null,
  })),
  Notification: row(wire({ message: textOrEmpty, title: text, notification_type: named }), (w) => ({
    type: 'notification',
    message: w.message,
    title: w.title ?? null,
    kind: w.notification_type,
  })),
  ErrorOccurred: row(
    wire({ error: v.nullish(v.looseObject({ message: textOrEmpty, name: named })), error_context: named }),
    (w) => ({
      type: 'stop_failure',
      error: w.error_context,
      details: w.error?.message ?? null,
      lastAssistantMessage: null,
    }),
  ),
  SessionEnd: row(wire({ reason: named }), ({ reason }) => ({ type: 'session_end', reason })),
};

export type NativeEvent = keyof typeof EVENTS;

/** The events that the two spellings call by unlike names. */
const RENAMED_EVENTS: Readonly<Record<string, string>> = {
  UserPromptSubmit: 'userPromptSubmitted',
  Stop: 'agentStop',
};

/**
 * Every event has two spellings (1.0.102). The one that a hook is registered by decides how it is called: by `PreToolUse`
 * with Claude's tool names and, but for three events, snake case; by `preToolUse` in camel case with its own names.
 * Null for what is not an event.
 */
export function camelName(pascal: string): string | null {
  if (!Object.hasOwn(EVENTS, pascal)) return null;
  return RENAMED_EVENTS[pascal] ?? `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`;
}

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Copilot CLI',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
  spellings: (name) => [camelName(name) ?? name],
});

function turn(w: v.InferOutput<typeof turnWire>) {
  return {
    stopHookActive: w.stop_hook_active,
    ...(w.stop_reason ? { stopReason: w.stop_reason } : {}),
    lastAssistantMessage: w.last_assistant_message ?? null,
    backgroundTasks: [],
  };
}

/** Canonical name, then the one that the client sends (1.0.102), then its own, which dialogs and transcripts have. */
export const NAMES: ToolNames = toolNames([
  ['Bash', 'Bash', 'bash', 'powershell'],
  ['Read', 'Read', 'view'],
  ['Write', 'Write', 'create'],
  ['Edit', 'Edit', 'edit', 'apply_patch'],
  ['Grep', 'Grep', 'grep', 'rg'],
  ['Glob', 'Glob', 'glob'],
  ['Task', 'Agent', 'task'],
  ['AskUserQuestion', 'AskUserQuestion', 'ask_user'],
  ['WebFetch', 'WebFetch', 'web_fetch'],
  ['WebSearch', 'WebSearch', 'web_search'],
  ['TodoWrite', 'TodoWrite', 'update_todo'],
  ['Skill', 'skill'],
]);

const tools = hookTools({ names: NAMES, files: filesOf });

export const { withInput } = tools;

type CallWire = Readonly<{ tool_name: string; tool_input: Readonly<Record<string, unknown>> }>;

function callOf(w: CallWire): ToolCall {
  return tools.call(ownFields(w), mcpTarget(w.tool_name));
}

/** Throws on text that can't be read: text that is not JSON must be a patch, and a shell runs none. */
function readableCall(w: CallWire): ToolCall {
  const call = callOf(w);
  if (call.kind === 'shell' && call.command === null && textAt(call.input, PATCH) !== null)
    throw new DecodeError('Copilot CLI sent a command that cannot be read');
  return call;
}

/** 1.0.102 sends no id of a call on any event. */
function ownFields({ tool_name, tool_input }: CallWire) {
  return { tool_name, tool_input };
}

/**
 * `server-tool`, and in a permission request `server/tool`. The first is ambiguous where a name has a hyphen of its own:
 * the last one counts, because tools rarely have any. No tool of the client's has a hyphen or a slash.
 */
function mcpTarget(name: string): McpTarget | null {
  const [, server, tool] = /^([^/]+)\/(.+)$/s.exec(name) ?? /^(.+)-([^-]+)$/s.exec(name) ?? [];
  return mcpTargetIn(name) ?? (server && tool ? { server, tool } : null);
}

function filesOf(
  { name, input }: Pick<ToolCall, 'name' | 'input'>,
  response: unknown,
): readonly FileOperation[] {
  const patch = textAt(input, PATCH);
  // The second in permission requests.
  const path = textAt(input, 'path') ?? textAt(input, 'file_path');
  // The model may add an argument of any name: one that looks like a patch does not hide the file.
  return [
    ...(patch === null ? [] : patchOperations(patch)),
    ...(path === null ? [] : fileOperation(name, path, isNewFile(response))),
  ];
}

function isNewFile(response: unknown): boolean {
  return /^Created file /.test(textAt(response, 'text_result_for_llm') ?? '');
}

function resultOf(w: v.InferOutput<typeof resultWire>): ToolResult {
  const { kind } = callOf(w);
  const response = w.tool_result ?? null;
  // A command that fails is a success to the client (1.0.102): only the end of its output says so.
  const code = kind === 'shell' ? exitCodeOf(response?.text_result_for_llm ?? '') : null;
  const isFailed = (code ?? 0) !== 0;
  const error = isFailed ? `Exit Code: ${code}` : null;
  const outcome = isFailed ? 'failed' : 'ok';
  return tools.result(ownFields(w), { response, error, outcome, durationMs: null }, mcpTarget(w.tool_name));
}

const SHELL_END = /\n?<shellId: [^\n>]* completed with exit code (-?\d+)>\s*$/;

/** The exit code at the very end: the output before it may say anything. */
function exitCodeOf(output: string): number | null {
  const code = SHELL_END.exec(output)?.[1];
  return code === undefined ? null : Number(code);
}

/** What a command printed, without the client's own line about how it ended. */
export function printedBy(output: string): string {
  return output.replace(SHELL_END, '');
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the two spellings call by unlike words. */
export const RENAMED: readonly (readonly [snake: string, camel: string])[] = [
  ['tool_input', 'toolArgs'],
  ['tool_input', 'toolInput'],
  ['last_assistant_message', 'response'],
];

/** The argument that stands for a patch, which the client sends as a bare text instead of arguments. */
export const PATCH = 'patch';

/** Any payload of the client as one in snake case, with arguments that are an object. */
function snakeFields(payload: Fields): Record<string, unknown> {
  const fields: Record<string, unknown> = renamedBy(payload, (key) => {
    const renamed = RENAMED.find(([, camel]) => camel === key)?.[0];
    return renamed ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  });
  if (typeof fields.timestamp === 'number') fields.timestamp = isoTime(fields.timestamp);
  if (typeof fields.tool_input === 'string') fields.tool_input = argumentsIn(fields.tool_input);
  if (isObject(fields.tool_result)) fields.tool_result = snakeFields(fields.tool_result);
  return inParent(fields);
}

/** Arguments may be JSON in a text; only what is none is a patch. */
function argumentsIn(text: string): Fields {
  const value = parseJson(text);
  return isObject(value) ? value : { [PATCH]: text };
}

export function renamedBy(fields: Fields, name: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [name(key), value]));
}

/** Inside a subagent the session is the subagent's own (1.0.102); what it does belongs to the session that started it. */
function inParent(fields: Record<string, unknown>): Record<string, unknown> {
  const { session_id, agent_id, parent_agent_id: parent } = fields;
  const isInner = session_id === agent_id && typeof parent === 'string' && parent !== '';
  return isInner ? { ...fields, session_id: parent } : fields;
}

function isoTime(ms: number): string | null {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
}

/**
 * It also runs the hooks in a project's Claude settings. Only what no other client sends counts: before a tool its
 * payload has no mark of its own, and there it reads Claude's answers, too (1.0.102).
 */
export function sends(payload: unknown): boolean {
  if (!isObject(payload)) return false;
  const isDialog = payload.hookName === 'permissionRequest' && typeof payload.sessionId === 'string';
  return isDialog || (isObject(payload.tool_result) && Object.hasOwn(payload.tool_result, 'result_type'));
}
