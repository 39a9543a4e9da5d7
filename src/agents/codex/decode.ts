import * as v from 'valibot';
import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import type { NativeCall } from '../../model/native.ts';
import type { FileOperation, ToolCall, ToolOutcome, ToolResult } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, named, requiredText, text } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows, snakeCase } from '../kit/hook-payloads.ts';
import { textAt } from '../kit/loose-json.ts';
import { patchOperations, patchToCreate, patchToEdit } from '../kit/patch.ts';
import { fileOperation, hookTools, isOn, type ToolNames, type ToolWire, toolNames } from '../kit/tools.ts';
import { decodeMessage, isMessage } from './app-server/index.ts';

/** Turns one call into the event it means. Throws only DecodeError. */
export function decode(call: NativeCall): HookEvent {
  return isMessage(call.payload) ? decodeMessage(call) : payloads.decode(call);
}

// The JSON that Codex 0.166.0 sends to hooks, in its own spelling. Keys that are not named here pass. What decisions
// depend on is required; descriptive texts have a default.
const BASE = {
  /** Inside a subagent this is the root session; `agent_id` is then the thread of the child. */
  session_id: requiredText,
  hook_event_name: text,
  /** null in sessions without a disk. */
  transcript_path: text,
  cwd: text,
  model: text,
  turn_id: text,
  /** `default` or `bypassPermissions` (nothing is ever asked), whatever else the schema lists. */
  permission_mode: text,
  agent_id: text,
  agent_type: text,
};

const TOOL = {
  tool_name: requiredText,
  tool_input: anyObject,
  /** Absent on PermissionRequest. */
  tool_use_id: text,
};

const TURN = {
  stop_hook_active: v.nullish(v.boolean(), false),
  last_assistant_message: text,
};

const wire = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });
const anyWire = wire({});
const turnWire = wire(TURN);
const toolWire = wire(TOOL);

const row = payloadRows({
  source: 'codex',
  label: 'Codex',
  common: (payload: v.InferOutput<typeof anyWire>) => ({
    permissionMode: payload.permission_mode ?? null,
    agentId: payload.agent_id ?? null,
    metadata: {
      ...(payload.turn_id ? { turnId: payload.turn_id } : {}),
      ...(payload.model ? { model: payload.model } : {}),
      ...(payload.agent_type ? { agentType: payload.agent_type } : {}),
    },
  }),
});

const EVENTS = {
  SessionStart: row(wire({ source: named }), ({ source, model = null }) => ({
    type: 'session_start',
    trigger: source,
    model,
    title: null,
  })),
  UserPromptSubmit: row(wire({ prompt: v.string() }), ({ prompt }) => ({
    type: 'before_agent',
    prompt,
    title: null,
  })),
  // Neither the request nor the answer is shown to hooks, and neither event has a published schema (0.166.0).
  PreModelRequest: row(anyWire, () => ({ type: 'before_model', request: null })),
  PostModelRequest: row(
    wire({ status: text, error: v.optional(v.unknown()), token_usage: v.optional(v.unknown()) }),
    (w) => ({
      type: 'after_model',
      request: null,
      response: { status: w.status ?? null, error: w.error ?? null, tokenUsage: w.token_usage ?? null },
    }),
  ),
  PreToolUse: row(toolWire, (w) => ({ type: 'before_tool', tool: toolCall(w) })),
  PermissionRequest: row(toolWire, (w) => ({
    type: 'permission_request',
    tool: toolCall(w),
    suggestions: [],
  })),
  PostToolUse: row(wire({ ...TOOL, tool_response: v.optional(v.unknown()) }), (w) => ({
    type: 'after_tool',
    tool: toolResult(w),
  })),
  PreCompact: row(wire({ trigger: named }), ({ trigger }) => ({
    type: 'pre_compact',
    trigger,
    instructions: null,
  })),
  PostCompact: row(wire({ trigger: named }), ({ trigger }) => ({
    type: 'post_compact',
    trigger,
    summary: null,
  })),
  SubagentStart: row(anyWire, (w) => ({
    type: 'subagent_start',
    subagentId: w.agent_id ?? null,
    subagentType: w.agent_type ?? 'unknown',
  })),
  SubagentStop: row(wire({ ...TURN, agent_transcript_path: text }), (w) => ({
    type: 'subagent_stop',
    ...turn(w),
    subagentId: w.agent_id ?? null,
    subagentType: w.agent_type ?? 'unknown',
    subagentTranscriptPath: w.agent_transcript_path || null,
  })),
  Stop: row(turnWire, (w) => ({ type: 'stop', ...turn(w) })),
  Interrupt: row(anyWire, () => ({ type: 'interrupt', reason: null })),
  // Always "other" (0.166.0).
  SessionEnd: row(wire({ reason: named }), ({ reason }) => ({ type: 'session_end', reason })),
};

export type NativeEvent = keyof typeof EVENTS;

/** Not a hook: what a script writes that the client runs after each turn (`notify` in its settings). */
const TURN_NOTICE = 'AgentTurnComplete';

const turnNotice = row(
  wire({ last_message: text, input_messages: v.nullish(v.array(v.unknown()), []) }),
  ({ last_message, input_messages: [first] }) => ({
    type: 'after_agent',
    prompt: typeof first === 'string' ? first : (textAt(first, 'text') ?? textAt(first, 'content')),
    stopHookActive: false,
    lastAssistantMessage: last_message || null,
    backgroundTasks: [],
  }),
);

const unknown = row(anyWire, () => ({ type: 'unknown', problem: null }));

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Codex',
  events: EVENTS,
  unknown: (call, name) => (name === TURN_NOTICE ? turnNotice : unknown)(call, name),
  // Dispatcher scripts say `pre-tool-use`, and the client itself says `pre_tool_use` in its own settings.
  spellings: (name) => [snakeCase(name), snakeCase(name, '-')],
});

function turn(w: v.InferOutput<typeof turnWire>) {
  return {
    stopHookActive: w.stop_hook_active,
    lastAssistantMessage: w.last_assistant_message ?? null,
    backgroundTasks: [],
  };
}

type Input = Readonly<Record<string, unknown>>;

/**
 * One patch may create, edit, move and delete; it has one name all the same, so that a rule on the name applies to
 * every patch, and `files` has the rest.
 */
const NAMES: ToolNames = toolNames([
  ['Edit', 'apply_patch'],
  ['Task', 'spawn_agent'],
  // Other files are read by shell commands.
  ['Read', 'view_image'],
  ['AskUserQuestion', 'request_user_input'],
]);

const tools = hookTools({
  names: NAMES,
  cwd: ['workdir'],
  // The words of its tools. 0.166.0 does not pass them to hooks, and asks by itself.
  leavesSandbox: ({ sandbox_permissions, with_escalated_permissions }) =>
    sandbox_permissions === 'require_escalated' || isOn(with_escalated_permissions),
  files: filesOf,
});

const { call: toolCall } = tools;
export const { withInput } = tools;

/** A call that has happened, as far as the payload says how it went. */
function toolResult(wire: ToolWire & { readonly tool_response?: unknown }): ToolResult {
  const response = wire.tool_response ?? null;
  const outcome = outcomeOf(wire.tool_name, response);
  const error = outcome === 'failed' && typeof response === 'string' ? response : null;
  return tools.result(wire, { response, error, outcome, durationMs: null });
}

/** What the client would send before a call of this tool. */
export function toolPayload({ id, tool, input, cwd }: ToolRequest): unknown {
  const [tool_name, tool_input] = nativeCall(tool, input);
  return {
    session_id: id,
    turn_id: id,
    transcript_path: null,
    cwd,
    hook_event_name: 'PreToolUse',
    model: 'unknown',
    permission_mode: 'default',
    tool_name,
    tool_input,
    tool_use_id: id,
  };
}

function nativeCall(tool: string, input: Input): [string, Input] {
  const path = textAt(input, 'file_path');
  if ((tool === 'Write' || tool === 'Edit') && path !== null && typeof input.command !== 'string') {
    const [from, to] = [textAt(input, 'old_string') ?? '', textAt(input, 'new_string') ?? ''];
    const patch =
      tool === 'Write' ? patchToCreate(path, textAt(input, 'content') ?? '') : patchToEdit(path, from, to);
    return ['apply_patch', { command: patch }];
  }
  if (tool === 'Write') return ['apply_patch', input];
  const native = NAMES.native(tool);
  return [native, native === 'view_image' && path !== null ? { path } : input];
}

function outcomeOf(tool: string, response: unknown): ToolOutcome {
  // A shell command's response is its output and nothing else (0.166.0); older versions had the exit code before it.
  if ((tool === 'Bash' || tool === 'apply_patch') && typeof response === 'string') {
    const stated = tool === 'Bash' ? /^Exit code: (-?\d+)\nWall time: / : /^Exit code: (-?\d+)/;
    const code = stated.exec(response)?.[1];
    return code === undefined ? 'unknown' : code === '0' ? 'ok' : 'failed';
  }
  if (tool === 'Bash') return 'unknown';
  if (isObject(response) && (response.isError === true || response.is_error === true)) return 'failed';
  // The client has no event for a call that went wrong: it sends this one only after a tool that did its work.
  return 'ok';
}

type NamedInput = Pick<ToolCall, 'name' | 'nativeName' | 'input'>;

function filesOf({ name, nativeName, input }: NamedInput): readonly FileOperation[] {
  const command = textAt(input, 'command') ?? '';
  // The client catches `apply_patch <<EOF` before it gets to a shell, and applies it itself (0.166.0).
  if (nativeName === 'apply_patch' || (nativeName === 'Bash' && /\bapply_?patch\b/.test(command)))
    return patchOperations(command);
  // The client has no tool with the second argument; dispatcher scripts report such.
  const path = nativeName === 'view_image' ? textAt(input, 'path') : textAt(input, 'file_path');
  return path === null ? [] : fileOperation(name, path, false);
}
