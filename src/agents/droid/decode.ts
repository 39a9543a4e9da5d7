import * as v from 'valibot';
import type { McpTarget, ToolCall, ToolResult } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, extraFields, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { textAt } from '../kit/loose-json.ts';
import { patchOperations } from '../kit/patch.ts';
import { fileOperation, hookTools, type ToolNames, toolNames } from '../kit/tools.ts';

// The JSON that Droid 0.225.2 sends to hooks, in its own spelling. Keys that are not named here pass.
const BASE = {
  session_id: requiredText,
  hook_event_name: text,
  transcript_path: text,
  cwd: text,
  permission_mode: text,
};

const TOOL = { tool_name: requiredText, tool_input: anyObject };

const wire = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });
const anyWire = wire({});

const row = payloadRows({
  source: 'droid',
  label: 'Droid',
  common: (payload: v.InferOutput<typeof anyWire>, _, env) => ({
    permissionMode: payload.permission_mode ?? null,
    // Each subagent has a session of its own.
    agentId: null,
    metadata: metadataOf(payload, env),
  }),
});

const EVENTS = {
  // Also for each subagent, with the session that called it.
  SessionStart: row(wire({ source: named }), ({ source }) => ({
    type: 'session_start',
    trigger: source,
    model: null,
    title: null,
  })),
  // Twice at the end of a session in a terminal (0.225.2).
  SessionEnd: row(wire({ reason: named }), ({ reason }) => ({ type: 'session_end', reason })),
  UserPromptSubmit: row(wire({ prompt: v.string() }), ({ prompt }) => ({
    type: 'before_agent',
    prompt,
    title: null,
  })),
  PreToolUse: row(wire(TOOL), (w) => ({ type: 'before_tool', tool: tools.call(w, mcpTarget(w.tool_name)) })),
  // Not sent for a call that failed (0.225.2).
  PostToolUse: row(wire({ ...TOOL, tool_response: v.optional(v.unknown()) }), (w) => ({
    type: 'after_tool',
    tool: tools.result(w, resultOf(w.tool_name, w.tool_response ?? null), mcpTarget(w.tool_name)),
  })),
  Stop: row(wire({ stop_hook_active: v.nullish(v.boolean(), false) }), (w) => ({
    type: 'stop',
    stopHookActive: w.stop_hook_active,
    lastAssistantMessage: null,
    backgroundTasks: [],
  })),
  // In the session of the parent, without the id of the subagent.
  SubagentStop: row(wire({ stop_hook_active: v.nullish(v.boolean(), false), task_result: text }), (w) => ({
    type: 'subagent_stop',
    stopHookActive: w.stop_hook_active,
    lastAssistantMessage: w.task_result || null,
    backgroundTasks: [],
    subagentId: null,
    subagentType: 'unknown',
    subagentTranscriptPath: null,
  })),
  PreCompact: row(wire({ trigger: named, custom_instructions: text }), (w) => ({
    type: 'pre_compact',
    trigger: w.trigger,
    instructions: w.custom_instructions ?? null,
  })),
  Notification: row(wire({ message: textOrEmpty, notification_type: named }), (w) => ({
    type: 'notification',
    message: w.message,
    title: null,
    kind: w.notification_type,
  })),
};

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Droid',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
});

/** Native fields that no event type has a place for, by our own names. */
const EXTRA = [
  ['message_id', 'messageId'],
  ['calling_session_id', 'callingSessionId'],
  ['previous_session_id', 'previousSessionId'],
  ['task_name', 'taskName'],
  ['task_error', 'taskError'],
  ['message_count', 'messageCount'],
] as const;

function metadataOf(
  payload: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const metadata = extraFields(payload, EXTRA);
  if (env.DROID_PROJECT_DIR) metadata.projectDir = env.DROID_PROJECT_DIR;
  return metadata;
}

/** Canonical name, then the client's own (0.225.2), then those that mean the same. */
export const NAMES: ToolNames = toolNames([
  ['Bash', 'Execute'],
  ['Read', 'Read'],
  ['Write', 'Create'],
  // Some models are given the second: one patch may create, edit, move and delete.
  ['Edit', 'Edit', 'ApplyPatch'],
  ['Glob', 'Glob'],
  ['Grep', 'Grep'],
  ['Ls', 'LS'],
  ['Task', 'Task'],
  ['Skill', 'Skill'],
  ['TodoWrite', 'TodoWrite'],
  ['WebFetch', 'FetchUrl'],
  ['WebSearch', 'WebSearch'],
  ['AskUserQuestion', 'AskUser'],
  ['ExitPlanMode', 'ExitSpecMode'],
]);

const tools = hookTools({ names: NAMES, files: filesOf });

export const { withInput } = tools;

/** `<server>___<tool>`, with three underscores. */
function mcpTarget(name: string): McpTarget | null {
  const [, server, tool] = /^(.+?)___(.+)$/s.exec(name) ?? [];
  return server !== undefined && tool !== undefined ? { server, tool } : null;
}

export function mcpName({ server, tool }: Pick<McpTarget, 'server' | 'tool'>): string {
  return `${server}___${tool}`;
}

/** The text of a patch, where a call has one. */
export function patchIn({ nativeName, input }: Pick<ToolCall, 'nativeName' | 'input'>): string | null {
  return nativeName === 'ApplyPatch' ? (textAt(input, 'input') ?? '') : null;
}

/** Paths are as the model wrote them, often relative to the working directory. */
function filesOf(call: Pick<ToolCall, 'name' | 'nativeName' | 'input'>) {
  const patch = patchIn(call);
  if (patch !== null) return patchOperations(patch);
  const path = textAt(call.input, 'file_path');
  // It writes over a file that exists, and does not say whether there was one.
  return path === null ? [] : fileOperation(call.name, path, false);
}

/** A call that failed fires no hook, but a command in the background may end in its own way. */
function resultOf(tool: string, response: unknown): Omit<ToolResult, keyof ToolCall> {
  const code = tool === 'Execute' ? exitCodeIn(response) : 0;
  const isFailed = code !== null && code !== 0;
  return {
    response,
    error: isFailed ? `Exit code ${code}` : null,
    outcome: code === null ? 'unknown' : isFailed ? 'failed' : 'ok',
    durationMs: null,
  };
}

/** What the client would send before a call of this tool. */
export function toolPayload({ id, cwd, tool, input }: ToolRequest): unknown {
  return {
    session_id: id,
    transcript_path: '',
    cwd,
    permission_mode: 'auto-high',
    hook_event_name: 'PreToolUse',
    tool_name: NAMES.native(tool),
    tool_input: nativeInput(NAMES.canonical(tool), input),
  };
}

/** Its own words for arguments, by the common ones. */
export const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Edit: { old_string: 'old_str', new_string: 'new_str', replace_all: 'change_all' },
  Bash: { description: 'summary' },
  Ls: { path: 'directory_path' },
  Grep: { glob: 'glob_pattern' },
};

function nativeInput(tool: string, input: ToolRequest['input']): ToolRequest['input'] {
  const words = ARGUMENTS[tool] ?? {};
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [words[key] ?? key, value]));
}

const END = /\s*\[Process exited with code (\d+)\]\s*$/;

/** The exit code in the last line of a result: the output before it may say anything. */
export function exitCodeIn(response: unknown): number | null {
  const code = typeof response === 'string' ? END.exec(response)?.[1] : undefined;
  return code === undefined ? null : Number(code);
}

/** What a command printed, without the line about its end. */
export function printedBy(response: string): string {
  return response.replace(END, '');
}
