import * as v from 'valibot';
import { isObject } from '../../model/json.ts';
import type { FileOperation, McpTarget, ToolCall, ToolKind, ToolResult } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { objectAt, textAt } from '../kit/loose-json.ts';
import { statedExitCode } from '../kit/stated.ts';
import { fileOperation, hookTools, mcpTargetIn, type ToolNames, toolNames } from '../kit/tools.ts';
import { typedPrompt } from './typed-prompt.ts';

// The JSON that Gemini CLI 0.61.0 sends to hooks, in its own spelling. Keys that are not named here pass. What
// decisions depend on is required; descriptive texts have a default, because dispatcher scripts leave them out.
const BASE = {
  session_id: requiredText,
  hook_event_name: text,
  /** Empty without a recorder. Inside a subagent it is still the main session's. */
  transcript_path: text,
  cwd: text,
  timestamp: text,
};

const TOOL = {
  tool_name: requiredText,
  tool_input: anyObject,
  mcp_context: v.nullish(
    v.looseObject({
      server_name: text,
      tool_name: text,
      command: text,
      args: v.nullish(v.array(v.string()), []),
      cwd: text,
      url: text,
      tcp: text,
    }),
  ),
  /** The tool that the model called, where a hook asked for another one after it. */
  original_request_name: text,
};

const MODEL = { llm_request: v.optional(v.unknown()) };

const wire = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });
const anyWire = wire({});
const toolWire = wire(TOOL);
const resultWire = wire({ ...TOOL, tool_response: v.optional(v.unknown()) });

type ToolPayload = Pick<v.InferOutput<typeof toolWire>, 'tool_name' | 'tool_input' | 'mcp_context'>;

const row = payloadRows({
  source: 'gemini',
  label: 'Gemini CLI',
  common: (payload: v.InferOutput<typeof anyWire>, name, env) => ({
    permissionMode: null,
    agentId: null,
    metadata: metadataOf(name, payload, env),
    sentAt: payload.timestamp,
  }),
});

/** What 0.61.0 sends when the model gave no text. */
export const NO_RESPONSE_TEXT = '[no response text]';

const EVENTS = {
  SessionStart: row(wire({ source: named }), ({ source }) => ({
    type: 'session_start',
    trigger: source,
    model: null,
    title: null,
  })),
  // Only "exit" and "clear" are ever sent (0.61.0).
  SessionEnd: row(wire({ reason: named }), ({ reason }) => ({ type: 'session_end', reason })),
  BeforeAgent: row(wire({ prompt: v.string() }), ({ prompt }) => ({
    type: 'before_agent',
    prompt: typedPrompt(prompt),
    title: null,
  })),
  AfterAgent: row(
    wire({ prompt: text, prompt_response: text, stop_hook_active: v.nullish(v.boolean(), false) }),
    (w) => ({
      type: 'after_agent',
      prompt: w.prompt == null ? null : typedPrompt(w.prompt),
      stopHookActive: w.stop_hook_active,
      lastAssistantMessage: w.prompt_response === NO_RESPONSE_TEXT ? null : (w.prompt_response ?? null),
      backgroundTasks: [],
    }),
  ),
  BeforeModel: row(wire(MODEL), (w) => ({ type: 'before_model', request: w.llm_request ?? null })),
  AfterModel: row(wire({ ...MODEL, llm_response: v.optional(v.unknown()) }), (w) => ({
    type: 'after_model',
    request: w.llm_request ?? null,
    response: w.llm_response ?? null,
  })),
  BeforeToolSelection: row(wire(MODEL), (w) => ({
    type: 'before_tool_selection',
    request: w.llm_request ?? null,
  })),
  BeforeTool: row(toolWire, (w) => ({ type: 'before_tool', tool: toolCall(w) })),
  AfterTool: row(resultWire, (w) => ({ type: 'after_tool', tool: toolResult(w) })),
  PreCompress: row(wire({ trigger: named }), ({ trigger }) => ({
    type: 'pre_compact',
    trigger,
    instructions: null,
  })),
  Notification: row(
    wire({
      notification_type: named,
      message: textOrEmpty,
      details: v.nullish(v.looseObject({ type: text, title: text })),
    }),
    (w) => ({
      type: 'notification',
      message: w.message,
      title: w.details?.title ?? null,
      kind: w.notification_type,
      ...(w.details ? { details: w.details } : {}),
    }),
  ),
};

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Gemini CLI',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
});

/** Events that a subagent fires too, with a payload that looks the same (0.61.0). */
const ALSO_IN_SUBAGENTS: ReadonlySet<string> = new Set<NativeEvent>([
  'BeforeModel',
  'BeforeToolSelection',
  'AfterModel',
  'BeforeTool',
  'AfterTool',
  'PreCompress',
]);

/** What else is worth knowing about a call: flat, in our own names, without absent fields. */
function metadataOf(
  name: string,
  payload: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  if (ALSO_IN_SUBAGENTS.has(name)) {
    // This tool ends the work of a subagent and exists nowhere else. No other event says where it is from.
    if (payload.tool_name === 'complete_task') metadata.insideSubagent = true;
    else metadata.agentUnknown = true;
  }
  if (typeof payload.original_request_name === 'string')
    metadata.originalTool = payload.original_request_name;
  // Fires before every model request, just in case: a compaction hardly ever follows.
  if (name === 'PreCompress' && payload.trigger !== 'manual') metadata.advisory = true;
  // Text that is streamed in several pieces arrives with pieces repeated; the transcript has it right.
  if (name === 'AfterAgent' && typeof payload.prompt_response === 'string') metadata.messageMayRepeat = true;
  if (name === 'Notification' && isObject(payload.details) && typeof payload.details.type === 'string')
    metadata.confirmation = payload.details.type;
  if (env.GEMINI_PROJECT_DIR) metadata.projectDir = env.GEMINI_PROJECT_DIR;
  if (env.GEMINI_PLANS_DIR) metadata.plansDir = env.GEMINI_PLANS_DIR;
  return metadata;
}

/**
 * Canonical name, then the one the client sends (0.61.0), then those of older versions, of its screens and of
 * dispatcher scripts, which name tools by their classes.
 */
export const NAMES: ToolNames = toolNames([
  ['Bash', 'run_shell_command', 'RunShellCommand', 'ShellTool', 'Shell', 'ShellCommand'],
  ['Read', 'read_file', 'ReadFile', 'ReadFileTool', 'read_many_files', 'ReadManyFiles', 'ReadManyFilesTool'],
  ['Write', 'write_file', 'WriteFile', 'WriteFileTool'],
  [
    'Edit',
    'replace',
    'EditFile',
    'EditFileTool',
    'EditTool',
    'edit',
    'edit_file',
    'smart_edit',
    'Replace',
    'ReplaceTool',
  ],
  ['Glob', 'glob', 'GlobTool', 'FindFiles'],
  [
    'Grep',
    'grep_search',
    'search_file_content',
    'GrepTool',
    'SearchText',
    'SearchFileContent',
    'RipGrepTool',
    'grep',
  ],
  ['Ls', 'list_directory', 'ListDirectory', 'ListDirectoryTool', 'LSTool', 'ReadFolder', 'ls'],
  ['WebFetch', 'web_fetch', 'WebFetchTool', 'FetchTool', 'Fetch'],
  ['WebSearch', 'google_web_search', 'GoogleWebSearch', 'GoogleSearch', 'WebSearchTool'],
  ['TodoWrite', 'write_todos', 'WriteTodos', 'WriteTodosTool'],
  ['AskUserQuestion', 'ask_user', 'AskUser', 'AskUserTool'],
  ['EnterPlanMode', 'enter_plan_mode', 'EnterPlanModeTool'],
  ['ExitPlanMode', 'exit_plan_mode', 'ExitPlanModeTool'],
  ['Task', 'invoke_agent', 'InvokeAgent', 'delegate_to_agent'],
  ['Skill', 'activate_skill', 'ActivateSkill'],
]);

// The second name is that of older versions.
const tools = hookTools({ names: NAMES, cwd: ['dir_path', 'directory'], files: filesOf });

export const { withInput } = tools;

function toolCall(wire: ToolPayload): ToolCall {
  return tools.call(ownFields(wire), mcpTarget(wire));
}

function toolResult(wire: v.InferOutput<typeof resultWire>): ToolResult {
  const response = wire.tool_response ?? null;
  const mcp = mcpTarget(wire);
  const how = outcomeOf(tools.call(ownFields(wire), mcp).kind, response);
  return tools.result(ownFields(wire), { response, ...how, durationMs: null }, mcp);
}

/** 0.61.0 sends no id of a call on any event. */
function ownFields({ tool_name, tool_input }: ToolPayload) {
  return { tool_name, tool_input };
}

/** What the client would send before a call of this tool. */
export function toolPayload(request: ToolRequest): unknown {
  return {
    session_id: request.id,
    transcript_path: '',
    cwd: request.cwd,
    hook_event_name: 'BeforeTool',
    tool_name: NAMES.native(request.tool),
    tool_input: request.input,
  };
}

/**
 * The client names the server and the tool. Without that (`hookline try`, old wrappers) there is only the name:
 * `mcp_<server>_<tool>`, which is ambiguous where the server's name has an underscore.
 */
function mcpTarget({ tool_name: name, mcp_context: context }: ToolPayload): McpTarget | null {
  if (context?.server_name && context.tool_name) {
    const { server_name: server, tool_name: tool, command, args, cwd, url, tcp } = context;
    const origin = { command: command ?? null, args, cwd: cwd ?? null, url: url ?? tcp ?? null };
    return { server, tool, origin };
  }
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/.exec(name) ?? [];
  return mcpTargetIn(name) ?? (server && tool ? { server, tool } : null);
}

/** Paths are as the model wrote them, often relative to the working directory. */
function filesOf({ name, input }: Pick<ToolCall, 'name' | 'input'>, response: unknown) {
  const path = textAt(input, 'file_path') ?? textAt(input, 'absolute_path');
  if (path !== null) return fileOperation(name, path, isNewFile(response));
  const paths = name === 'Read' ? ([input.paths, input.include].find(Array.isArray) ?? []) : [];
  return paths
    .filter((one: unknown) => typeof one === 'string')
    .map((one: string): FileOperation => ({ op: 'read', path: one }));
}

function isNewFile(response: unknown): boolean {
  return objectAt(response, 'returnDisplay')?.isNewFile === true;
}

type Outcome = Pick<ToolResult, 'error' | 'outcome'>;

/**
 * The end of what the model sees of a command. 0.61.0 sets no `error` when a command fails: only these lines say so.
 * They count at the very end, because the command's own output stands before them and may say anything.
 */
const SHELL_END =
  /\n(?:Exit Code: (\d+)\n)?(?:Signal: ([^\n]+)\n)?(?:Background PIDs: [^\n]*\n)?Process Group PGID: [^\n]*(?:\n<\/untrusted_context>)?(?:\s*\[System\][^\n]*)?\s*$/;

const CANCELLED = /^(?:<untrusted_context>\s*)?Command was (?:cancelled by user|automatically cancelled)/;

/** How a call went, as far as its response says. */
function outcomeOf(kind: ToolKind, response: unknown): Outcome {
  if (typeof response === 'string' && kind === 'shell') return shellOutcome(response);
  if (!isObject(response)) return { error: null, outcome: response === null ? 'unknown' : 'ok' };
  const { error, llmContent } = response;
  if (isObject(error)) {
    const message = typeof error.message === 'string' ? error.message : 'The tool failed.';
    return { error: message, outcome: 'failed' };
  }
  return kind === 'shell' && typeof llmContent === 'string'
    ? shellOutcome(llmContent)
    : { error: null, outcome: 'ok' };
}

function shellOutcome(text: string): Outcome {
  if (CANCELLED.test(text)) return { error: 'The command was cancelled.', outcome: 'interrupted' };
  // Wrappers send the output alone, and may say in it how the command ended.
  const [, exitCode, signal] = SHELL_END.exec(text) ?? [null, statedExitCode(text)];
  if (signal) return { error: `Signal: ${signal}`, outcome: 'failed' };
  if (Number(exitCode ?? 0) !== 0) return { error: `Exit Code: ${exitCode}`, outcome: 'failed' };
  return { error: null, outcome: 'ok' };
}

/** The exit code that the text about a command ends with; 0 when it ends without one, null for other texts. */
export function exitCodeOf(text: string): number | null {
  const end = SHELL_END.exec(text);
  return end === null || end[2] !== undefined ? null : Number(end[1] ?? 0);
}

/** What the command itself printed, out of the text about it. */
export function printedBy(text: string): string {
  return text
    .replace(SHELL_END, '')
    .replace(/^<untrusted_context>\s*/, '')
    .replace(/^Output: (?:\(empty\)$)?/, '');
}
