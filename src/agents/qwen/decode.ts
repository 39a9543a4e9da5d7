import * as v from 'valibot';
import { isObject } from '../../model/json.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, extraFields, flag, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { textAt } from '../kit/loose-json.ts';
import { fileOperation, hookTools, type ToolNames, toolNames } from '../kit/tools.ts';

// The JSON that Qwen Code 0.24.4 sends to hooks, in its own spelling. Keys that are not named here pass.
const BASE = {
  session_id: requiredText,
  hook_event_name: text,
  transcript_path: text,
  cwd: text,
  timestamp: text,
  permission_mode: text,
  prompt_id: text,
  /** Only inside a subagent, which has the session of its parent. */
  agent_id: text,
};

const TOOL = {
  tool_name: requiredText,
  tool_input: anyObject,
  /** Made up by the client. */
  tool_use_id: text,
  /** The model's own, which the transcript and the batch event have too. */
  tool_call_id: text,
};

const RESULT = { tool_response: v.optional(v.unknown()), duration_ms: v.nullish(v.number()) };

const TURN = {
  stop_hook_active: v.nullish(v.boolean(), false),
  last_assistant_message: text,
  background_tasks: v.nullish(
    v.array(v.looseObject({ id: v.string(), agent_type: named, status: named, description: textOrEmpty })),
    [],
  ),
};

const TODO = { todo_id: v.string(), todo_content: textOrEmpty };

const wire = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });
const anyWire = wire({});
const turnWire = wire(TURN);
const todoWire = wire(TODO);

const row = payloadRows({
  source: 'qwen',
  label: 'Qwen Code',
  common: (payload: v.InferOutput<typeof anyWire>, _, env) => ({
    permissionMode: payload.permission_mode ?? null,
    agentId: payload.agent_id ?? null,
    metadata: metadataOf(payload, env),
    sentAt: payload.timestamp,
  }),
});

const EVENTS = {
  SessionStart: row(wire({ source: named, model: text }), (w) => ({
    type: 'session_start',
    trigger: w.source,
    model: w.model ?? null,
    title: null,
  })),
  // Not sent by `-p`, and twice at the end of an ACP session (0.24.4).
  SessionEnd: row(wire({ reason: named }), ({ reason }) => ({ type: 'session_end', reason })),
  InstructionsLoaded: row(wire({ file_path: v.string(), memory_type: named, load_reason: named }), (w) => ({
    type: 'instructions_loaded',
    path: w.file_path,
    scope: w.memory_type,
    reason: w.load_reason,
  })),
  // After every round of tool calls it comes again without a prompt (0.24.4): the next request to the model.
  UserPromptSubmit: row(wire({ prompt: v.string() }), ({ prompt }) =>
    prompt === '' ? { type: 'before_model', request: null } : { type: 'before_agent', prompt, title: null },
  ),
  UserPromptExpansion: row(
    wire({ prompt: v.string(), command_name: v.string(), command_args: textOrEmpty }),
    (w) => ({
      type: 'user_prompt_expansion',
      prompt: w.prompt,
      commandName: w.command_name,
      commandArgs: w.command_args,
      expansion: 'slash_command',
    }),
  ),
  PermissionRequest: row(wire(TOOL), (w) => ({
    type: 'permission_request',
    tool: tools.call(ownFields(w)),
    suggestions: [],
  })),
  PreToolUse: row(wire(TOOL), (w) => ({ type: 'before_tool', tool: tools.call(ownFields(w)) })),
  PostToolUse: row(wire({ ...TOOL, ...RESULT }), (w) => ({
    type: 'after_tool',
    tool: resultOf(w, { error: null, outcome: 'ok' }),
  })),
  PostToolUseFailure: row(wire({ ...TOOL, ...RESULT, error: textOrEmpty, is_interrupt: flag }), (w) => ({
    type: 'after_tool',
    tool: resultOf(
      { ...w, tool_response: w.tool_response ?? w.error },
      { error: failureOf(w.error), outcome: w.is_interrupt ? 'interrupted' : 'failed' },
    ),
  })),
  PostToolBatch: row(
    wire({ tool_calls: v.array(v.looseObject({ ...TOOL, ...RESULT, status: text })) }),
    (w) => ({
      type: 'post_tool_batch',
      calls: w.tool_calls.map((call) => resultOf(call, batchOutcome(call.status ?? null))),
    }),
  ),
  Stop: row(turnWire, (w) => ({ type: 'stop', ...turn(w) })),
  SubagentStart: row(wire({ agent_type: named }), (w) => ({
    type: 'subagent_start',
    subagentId: w.agent_id ?? null,
    subagentType: w.agent_type,
  })),
  SubagentStop: row(wire({ ...TURN, agent_type: named, agent_transcript_path: text }), (w) => ({
    type: 'subagent_stop',
    ...turn(w),
    subagentId: w.agent_id ?? null,
    subagentType: w.agent_type,
    subagentTranscriptPath: w.agent_transcript_path || null,
  })),
  PreCompact: row(wire({ trigger: named, custom_instructions: text }), (w) => ({
    type: 'pre_compact',
    trigger: w.trigger,
    instructions: w.custom_instructions ?? null,
  })),
  Notification: row(wire({ message: textOrEmpty, title: text, notification_type: named }), (w) => ({
    type: 'notification',
    message: w.message,
    title: w.title ?? null,
    kind: w.notification_type,
  })),
  TodoCreated: row(todoWire, (w) => ({ type: 'task_created', ...task(w) })),
  TodoCompleted: row(todoWire, (w) => ({ type: 'task_completed', ...task(w) })),
  // Fires for every piece of text, with all of it so far.
  MessageDisplay: row(
    wire({ message_id: v.string(), displayed_text: textOrEmpty, is_final: v.nullish(v.boolean(), false) }),
    (w) => ({
      type: 'message_display',
      messageId: w.message_id,
      index: 0,
      final: w.is_final,
      delta: w.displayed_text,
    }),
  ),
};

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Qwen Code',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
});

function turn(w: v.InferOutput<typeof turnWire>) {
  return {
    stopHookActive: w.stop_hook_active,
    lastAssistantMessage: w.last_assistant_message ?? null,
    backgroundTasks: w.background_tasks.map(({ id, agent_type, status, description }) => ({
      id,
      kind: agent_type,
      status,
      description,
    })),
  };
}

function task(w: v.InferOutput<typeof todoWire>) {
  return { taskId: w.todo_id, subject: w.todo_content, description: null, teammate: null };
}

/** Native fields that no event type has a place for, by our own names. */
const EXTRA = [
  ['prompt_id', 'promptId'],
  ['phase', 'phase'],
  ['context_usage', 'contextUsage'],
  ['context_limit', 'contextLimit'],
  ['input_tokens', 'inputTokens'],
] as const;

function metadataOf(
  payload: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const metadata = extraFields(payload, EXTRA);
  if (env.QWEN_PROJECT_DIR) metadata.projectDir = env.QWEN_PROJECT_DIR;
  return metadata;
}

/** Canonical name, then the one that the client sends (0.24.4), then those that its screens and matchers have. */
export const NAMES: ToolNames = toolNames([
  ['Bash', 'run_shell_command', 'Shell'],
  // Runs a command as well, and tells of each line that it prints.
  ['Monitor', 'monitor'],
  ['Read', 'read_file', 'ReadFile'],
  ['Write', 'write_file', 'WriteFile'],
  ['Edit', 'edit'],
  ['NotebookEdit', 'notebook_edit'],
  ['Glob', 'glob'],
  ['Grep', 'grep_search'],
  ['Ls', 'list_directory'],
  ['Task', 'agent'],
  ['Skill', 'skill'],
  ['TodoWrite', 'todo_write'],
  ['WebFetch', 'web_fetch'],
  ['WebSearch', 'web_search'],
  ['AskUserQuestion', 'ask_user_question'],
  ['ExitPlanMode', 'exit_plan_mode'],
  ['EnterPlanMode', 'enter_plan_mode'],
]);

const tools = hookTools({ names: NAMES, cwd: ['directory'], files: filesOf });

export const { withInput } = tools;

function filesOf({ name, input }: Pick<ToolCall, 'name' | 'input'>, response: unknown) {
  const path = textAt(input, 'file_path') ?? textAt(input, 'notebook_path');
  return path === null ? [] : fileOperation(name, path, isNewFile(response));
}

/** It says so only in its sentence to the model (0.24.4). */
function isNewFile(response: unknown): boolean {
  return /^Successfully created /.test(textAt(response, 'llmContent') ?? '');
}

/** A call by the id that every event of it has. */
function ownFields(w: CallWire) {
  return { tool_name: w.tool_name, tool_input: w.tool_input, tool_use_id: w.tool_call_id ?? w.tool_use_id };
}

type CallWire = v.InferOutput<v.ObjectSchema<typeof TOOL, undefined>>;

interface ResultWire extends CallWire {
  readonly tool_response?: unknown;
  readonly duration_ms?: number | null | undefined;
}

function resultOf(w: ResultWire, how: Pick<ToolResult, 'error' | 'outcome'>): ToolResult {
  return tools.result(ownFields(w), {
    response: w.tool_response ?? null,
    ...how,
    durationMs: w.duration_ms ?? null,
  });
}

/** A command that failed has the whole block about it as its error: its exit code says why. */
function failureOf(error: string): string {
  const code = exitCodeOf(error);
  return code === null ? error : `Exit Code: ${code}`;
}

/** A batch also lists calls that were refused or never run (0.24.4). */
function batchOutcome(status: string | null): Pick<ToolResult, 'error' | 'outcome'> {
  if (status === 'success') return { error: null, outcome: 'ok' };
  return { error: null, outcome: status === 'cancelled' ? 'interrupted' : 'unknown' };
}

/** What the client would send before a call of this tool. */
export function toolPayload(request: ToolRequest): unknown {
  return {
    session_id: request.id,
    transcript_path: '',
    cwd: request.cwd,
    hook_event_name: 'PreToolUse',
    permission_mode: 'default',
    tool_name: NAMES.native(request.tool),
    tool_input: request.input,
    tool_use_id: request.id,
    tool_call_id: request.id,
  };
}

/** What a command printed, out of the block that the model reads about it. */
export function printedBy(block: string): string {
  const [, output = block] = /\nOutput: ([\s\S]*?)\nError: [\s\S]*?\nExit Code: /.exec(block) ?? [];
  return output === '(empty)' ? '' : output;
}

/** The exit code at the end of that block: the output before it may say anything. */
export function exitCodeOf(block: string): number | null {
  const end = /\nExit Code: (\d+)\nSignal: [^\n]*\nProcess Group PGID: [^\n]*\s*$/.exec(block);
  return end === null ? null : Number(end[1]);
}

/** The texts of what the model reads of a result. */
export function resultText(response: unknown): string | null {
  const content = isObject(response) ? response.llmContent : response;
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.map((part) => textAt(part, 'text')).filter((one) => one !== null);
  return texts.length > 0 ? texts.join('\n') : null;
}
