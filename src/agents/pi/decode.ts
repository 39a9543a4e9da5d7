import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, flag, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type CommonCall, commonCall, renamed } from '../kit/dialect.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { listAt, numberAt, objectAt, textAt } from '../kit/loose-json.ts';
import { fileOperation, hookTools, type ToolNames, toolNames } from '../kit/tools.ts';

// Pi 1.5.0 calls extensions in its own process with an event that names neither session nor folder. Our extension sends
// what it picked of the event as `event`, and beside it what it knows of the session.
const BASE = {
  session_id: requiredText,
  cwd: text,
  transcript_path: text,
  /** `tui`, `rpc`, `json` or `print`. */
  mode: text,
  has_ui: flag,
  model: text,
};

const CALL = {
  toolName: requiredText,
  toolCallId: text,
  input: anyObject,
  /** The script that makes this call. */
  parentToolCallId: text,
};

const RESULT = {
  content: v.nullish(v.array(v.unknown()), []),
  details: v.optional(v.unknown()),
  structuredContent: v.optional(v.unknown()),
  isError: v.nullish(v.boolean(), false),
};

const anyWire = v.looseObject(BASE);
const wire = <const E extends v.ObjectEntries>(event: E) =>
  v.looseObject({ ...BASE, event: v.looseObject(event) });

const row = payloadRows({
  source: 'pi',
  label: 'Pi',
  common: (payload: v.InferOutput<typeof anyWire>) => ({
    permissionMode: null,
    agentId: null,
    metadata: metadataOf(payload),
  }),
});

const EVENTS = {
  session_start: row(wire({ reason: named }), (w) => ({
    type: 'session_start',
    trigger: w.event.reason,
    model: w.model ?? null,
    title: null,
  })),
  session_shutdown: row(wire({ reason: named }), ({ event }) => ({
    type: 'session_end',
    reason: event.reason,
  })),
  input: row(wire({ text: v.string() }), ({ event }) => ({
    type: 'before_agent',
    prompt: event.text,
    title: null,
  })),
  tool_call: row(wire(CALL), ({ event }) => ({ type: 'before_tool', tool: tools.call(callOf(event)) })),
  // A command that the user types after !, or that a program sends as `bash`: it has no id, and no event has its result.
  user_bash: row(wire({ command: v.string() }), ({ event }) => ({
    type: 'before_tool',
    tool: tools.call({ tool_name: 'bash', tool_input: { command: event.command } }),
  })),
  tool_result: row(wire({ ...CALL, ...RESULT }), ({ event }) => ({
    type: 'after_tool',
    tool: resultOf(event),
  })),
  // Fires once the model has nothing more to do, also after an error that it has tried to get over.
  agent_before_settle: row(
    wire({ outcome: named, message: text, error: text, stopHookActive: v.nullish(v.boolean(), false) }),
    ({ event }) => ({ ...ending(event), lastAssistantMessage: event.message || null }),
  ),
  agent_settled: row(wire({ aborted: flag }), () => ({ type: 'interrupt', reason: null })),
  session_before_compact: row(wire({ reason: named, customInstructions: text }), ({ event }) => ({
    type: 'pre_compact',
    trigger: event.reason,
    instructions: event.customInstructions ?? null,
  })),
  session_compact: row(wire({ reason: named, summary: text }), ({ event }) => ({
    type: 'post_compact',
    trigger: event.reason,
    summary: event.summary ?? null,
  })),
  ui_prompt_start: row(wire({ kind: named, title: textOrEmpty }), ({ event }) => ({
    type: 'notification',
    message: event.title,
    title: null,
    kind: event.kind,
  })),
};

function ending(event: { outcome: string; error?: string | null | undefined; stopHookActive: boolean }) {
  return event.outcome === 'error'
    ? { type: 'stop_failure' as const, error: event.error || 'unknown', details: null }
    : { type: 'stop' as const, stopHookActive: event.stopHookActive, backgroundTasks: [] };
}

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Pi',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
});

/** What the payload says that no event type has a place for, by our own names. */
function metadataOf(payload: v.InferOutput<typeof anyWire>): Record<string, unknown> {
  const event = objectAt(payload, 'event');
  const fields = { mode: payload.mode, source: event?.source, parentCall: event?.parentToolCallId };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
}

/** Canonical name, then the one that the client has (1.5.0). */
const NAMES: ToolNames = toolNames([
  ['Bash', 'bash'],
  ['PowerShell', 'powershell'],
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'edit'],
  ['Grep', 'grep'],
  ['Glob', 'find'],
  ['Ls', 'ls'],
]);

const tools = hookTools({
  names: NAMES,
  files: ({ name, input }) => {
    const path = textAt(input, 'path');
    return path === null ? [] : fileOperation(name, pathOf(path), false);
  },
});

/** As the client reads it (1.5.0): without the `@` of a mention, with plain spaces, and addresses of files are paths. */
function pathOf(text: string): string {
  const path = text.replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' ').replace(/^@/, '');
  if (!path.startsWith('file://')) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return path;
  }
}

export const { withInput } = tools;

type CallWire = v.InferOutput<v.ObjectSchema<typeof CALL, undefined>>;
type ResultWire = CallWire & v.InferOutput<v.ObjectSchema<typeof RESULT, undefined>>;

function callOf({ toolName, input, toolCallId }: CallWire) {
  return { tool_name: toolName, tool_input: input, tool_use_id: toolCallId };
}

function resultOf(w: ResultWire): ToolResult {
  const { content, details, structuredContent, isError } = w;
  const response = { content, details, structuredContent };
  const seconds = numberAt(structuredContent, 'wall_time_seconds');
  return tools.result(callOf(w), {
    response,
    error: isError ? failureOf(response) : null,
    outcome: isError ? 'failed' : 'ok',
    durationMs: seconds > 0 ? Math.round(seconds * 1000) : null,
  });
}

/** A command that failed has all that it printed as its error: its exit code says why. */
function failureOf(response: unknown): string {
  const code = exitCodeOf(response);
  return code === null ? resultText(response) : `Exit code: ${code}`;
}

/** The exit code of a command; null for other calls, and for one that was ended. */
function exitCodeOf(response: unknown): number | null {
  const code = objectAt(response, 'structuredContent')?.exit_code;
  return typeof code === 'number' ? code : null;
}

/** The texts of what the model reads of a result. */
export function resultText(response: unknown): string {
  const texts = listAt(response, 'content').map((part) => textAt(part, 'text'));
  return texts.filter((one) => one !== null).join('\n');
}

/** What our extension would send before a call of this tool. */
export function toolPayload({ id, cwd, tool, input }: ToolRequest): unknown {
  const event = { toolName: NAMES.native(tool), toolCallId: id, input: ownInput(tool, input) };
  return { hook_event_name: 'tool_call', session_id: id, cwd, event };
}

function ownInput(tool: string, { old_string, new_string, ...input }: ToolCall['input']): ToolCall['input'] {
  if (!('file_path' in input)) return input;
  const edits = [{ oldText: old_string, newText: new_string }];
  return { ...renamed(input, FILE), ...(NAMES.canonical(tool) === 'Edit' ? { edits } : {}) };
}

/** The common names of arguments, in the words of 1.5.0. */
const FILE = { file_path: 'path' };

/** One call may change a file in several places: what others do in as many calls. */
export function describe(tool: ToolCall | ToolResult): readonly CommonCall[] {
  const words = tool.kind === 'read' || tool.kind === 'write' ? FILE : {};
  const call = commonCall(tool, resultText, words);
  const edits = listAt(tool.input, 'edits');
  if (tool.name !== 'Edit' || edits.length === 0) return [call];
  return edits.map((edit, at) => ({
    ...call,
    input: {
      file_path: textAt(tool.input, 'path') ?? '',
      old_string: textAt(edit, 'oldText') ?? '',
      new_string: textAt(edit, 'newText') ?? '',
    },
    change: (changes) => changedEdit(tool.input, edits, at, changes),
  }));
}

function changedEdit(
  input: ToolCall['input'],
  edits: readonly unknown[],
  at: number,
  changes: ToolCall['input'],
) {
  const { file_path: path = input.path, old_string, new_string, ...others } = changes;
  if (Object.keys(others).length > 0) return null;
  const edit = Object(edits[at]);
  const changed = { oldText: old_string ?? edit.oldText, newText: new_string ?? edit.newText };
  return { path, edits: edits.with(at, changed) };
}
