import * as v from 'valibot';
import { DecodeError } from '../../model/errors.ts';
import { isObject } from '../../model/json.ts';
import type { FileOperation, ToolCall, ToolResult } from '../../model/tools.ts';
import { shellWord } from '../../platform/shell-words.ts';
import type { ToolRequest } from '../agent.ts';
import { flag, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type CommonCall, commonCall, renamed } from '../kit/dialect.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { textAt } from '../kit/loose-json.ts';
import { commonPatch, patchOperations } from '../kit/patch.ts';
import { fileOperation, hookTools, type ToolNames, toolNames } from '../kit/tools.ts';

// Cline 3.0.65 calls plugins with a context that has the whole conversation. Our plugin sends what it picked of it as
// `event`, and beside it what it knows of the session.
const BASE = {
  session_id: requiredText,
  cwd: text,
  transcript_path: text,
  agent_id: text,
  /** Only of a subagent. */
  parent_agent_id: text,
};

const CALL = { toolName: requiredText, toolCallId: text, input: v.optional(v.unknown()) };

const anyWire = v.looseObject(BASE);
const wire = <const E extends v.ObjectEntries>(event: E) =>
  v.looseObject({ ...BASE, event: v.looseObject(event) });

const row = payloadRows({
  source: 'cline',
  label: 'Cline',
  common: (payload: v.InferOutput<typeof anyWire>) => ({
    permissionMode: null,
    agentId: payload.parent_agent_id ? (payload.agent_id ?? null) : null,
    metadata: {},
  }),
});

const EVENTS = {
  // Once for each process that runs the client, also where it resumes a session.
  setup: row(wire({ resumed: flag }), ({ event }) => ({
    type: 'session_start',
    trigger: event.resumed ? 'resume' : 'startup',
    model: null,
    title: null,
  })),
  beforeRun: row(wire({ prompt: textOrEmpty }), (w) =>
    w.parent_agent_id
      ? { type: 'subagent_start', subagentId: w.agent_id ?? null, subagentType: 'spawn_agent' }
      : { type: 'before_agent', prompt: promptOf(w.event.prompt), title: null },
  ),
  beforeTool: row(wire(CALL), ({ event }) => ({ type: 'before_tool', tool: callOf(event) })),
  afterTool: row(
    wire({ ...CALL, result: v.optional(v.unknown()), durationMs: v.nullish(v.number()) }),
    ({ event }) => ({ type: 'after_tool', tool: resultOf(event) }),
  ),
  afterRun: row(wire({ status: text, outputText: text, error: text }), (w) => ended(w)),
};

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Cline',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
});

/** The client puts a frame around what the user wrote (3.0.65). */
export function promptOf(said: string): string {
  return /^<user_input[^>]*>([\s\S]*)<\/user_input>\s*$/.exec(said)?.[1] ?? said;
}

interface EndWire extends v.InferOutput<typeof anyWire> {
  readonly event: { readonly [K in 'status' | 'outputText' | 'error']?: string | null | undefined };
}

function ended({ event: { status, outputText, error }, agent_id, parent_agent_id }: EndWire) {
  const said = { lastAssistantMessage: outputText || null };
  const turn = { ...said, stopHookActive: false, backgroundTasks: [] };
  if (parent_agent_id) {
    const subagent = {
      subagentId: agent_id ?? null,
      subagentType: 'spawn_agent',
      subagentTranscriptPath: null,
    };
    return { type: 'subagent_stop' as const, ...turn, ...subagent };
  }
  if (status === 'aborted') return { type: 'interrupt' as const, reason: error ?? null };
  if (status !== 'failed') return { type: 'stop' as const, ...turn };
  return { type: 'stop_failure' as const, ...said, error: error ?? 'unknown', details: null };
}

/** Canonical name, then the one that the client has (3.0.65). */
const NAMES: ToolNames = toolNames([
  ['Bash', 'run_commands'],
  ['Read', 'read_files'],
  ['Edit', 'editor', 'apply_patch'],
  ['Grep', 'search_codebase'],
  ['WebFetch', 'fetch_web_content'],
  ['AskUserQuestion', 'ask_question'],
  ['Task', 'spawn_agent'],
  ['Skill', 'skills'],
]);

const tools = hookTools({ names: NAMES, files: filesOf });

export function withInput(tool: ToolCall, input: ToolCall['input']): ToolCall {
  return named(tools.withInput(tool, input));
}

interface CallWire {
  readonly toolName: string;
  readonly toolCallId?: string | null | undefined;
  readonly input?: unknown;
}

/** A call as rules know it. */
function callOf({ toolName, toolCallId, input }: CallWire): ToolCall {
  const tool_input = inputOf(toolName, input);
  return named(tools.call({ tool_name: toolName, tool_input, tool_use_id: toolCallId }, mcpOf(toolName)));
}

/** A server and its tool are `<server>__<tool>`; no tool of the client's own has that in its name (3.0.65). */
function mcpOf(name: string) {
  const [, server, tool] = /^(.+?)__(.+)$/s.exec(name) ?? [];
  return server !== undefined && tool !== undefined ? { server, tool } : null;
}

/** A server's tools have the name that rules use everywhere; without a text to replace, a file is written. */
function named<T extends ToolCall>(tool: T): T {
  if (tool.mcp) return { ...tool, name: `mcp__${tool.mcp.server}__${tool.mcp.tool}` };
  const replaces = textAt(tool.input, 'old_text') !== null || typeof tool.input.insert_line === 'number';
  return tool.nativeName === 'editor' && !replaces ? { ...tool, name: 'Write' } : tool;
}

/**
 * The client takes lists and texts where it asks for objects (3.0.65). Several commands in one call are one command line
 * to rules: each of them is judged. Throws if one can't be read.
 */
function inputOf(toolName: string, input: unknown): Readonly<Record<string, unknown>> {
  if (toolName === 'run_commands') {
    const commands = commandsIn(input);
    if (commands === null) throw new DecodeError('Cline sent run_commands without commands that can be read');
    return { command: commandLine(commands) };
  }
  if (toolName === 'read_files') return { files: pathsIn(input).map((path) => ({ path })) };
  if (isObject(input)) return input;
  return { input: input ?? null };
}

function filesOf({ nativeName, input }: Pick<ToolCall, 'nativeName' | 'input'>): readonly FileOperation[] {
  if (nativeName === 'read_files') return pathsIn(input).map((path) => ({ op: 'read', path }));
  if (nativeName === 'apply_patch') return patchOperations(textAt(input, 'input') ?? '');
  const path = textAt(input, 'path');
  if (nativeName !== 'editor' || path === null) return [];
  const replaces = textAt(input, 'old_text') !== null || typeof input.insert_line === 'number';
  return fileOperation(replaces ? 'Edit' : 'Write', path, false);
}

/** The paths in whatever form the client takes: a text, a list, objects with one of three names for it. */
function pathsIn(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input];
  if (Array.isArray(input)) return input.flatMap(pathsIn);
  if (!isObject(input)) return [];
  return [input.files, input.path, input.file_path, input.filePath].flatMap(pathsIn);
}

function resultOf(
  w: CallWire & { readonly result?: unknown; readonly durationMs?: number | null | undefined },
) {
  const output = isObject(w.result) ? (w.result.output ?? null) : null;
  const error = failureIn(output);
  const outcome = error === null ? 'ok' : 'failed';
  const call = callOf(w);
  const result: ToolResult = { ...call, response: output, error, outcome, durationMs: w.durationMs ?? null };
  return result;
}

/** The first of the parts that did not succeed says why; a call as a whole has `error`. */
function failureIn(output: unknown): string | null {
  const parts = Array.isArray(output) ? output : [output];
  const failed = parts.find((part) => isObject(part) && (part.success === false || textAt(part, 'error')));
  return failed === undefined ? null : (textAt(failed, 'error') ?? 'failed');
}

/** What the model reads of a result. */
export function resultText(output: unknown): string {
  const parts = Array.isArray(output) ? output : [output];
  return parts.map((part) => textAt(part, 'result') ?? textAt(part, 'text') ?? textOf(part)).join('\n');
}

function textOf(part: unknown): string {
  return typeof part === 'string' ? part : JSON.stringify(part ?? '');
}

/** What our plugin would send before a call of this tool. */
export function toolPayload({ id, cwd, tool, input }: ToolRequest): unknown {
  // The editor writes as well: its arguments say which.
  const toolName = tool === 'Write' ? 'editor' : NAMES.native(tool);
  const words = toolName === 'editor' ? wordsOf(tool) : {};
  const event = { toolName, toolCallId: id, input: renamed(input, words) };
  return { hook_event_name: 'beforeTool', session_id: id, cwd, event };
}

/** Its words for the common names of arguments. */
function wordsOf(tool: string): Readonly<Record<string, string>> {
  return tool === 'Write'
    ? { file_path: 'path', content: 'new_text' }
    : { file_path: 'path', old_string: 'old_text', new_string: 'new_text' };
}

/** In common terms; several files that are read at once are as many calls to others. One without a path is still a call. */
export function describe(tool: ToolCall | ToolResult): readonly CommonCall[] {
  const call = commonCall(tool, resultText, tool.nativeName === 'editor' ? wordsOf(tool.name) : {});
  if (tool.nativeName === 'apply_patch') return commonPatch(call, textAt(tool.input, 'input') ?? '');
  const paths = tool.nativeName === 'read_files' ? pathsIn(tool.input) : [];
  if (paths.length === 0) return [call];
  return paths.map((file_path) => ({ ...call, input: { file_path }, change: () => null }));
}

/**
 * The commands of `run_commands`, in every form that the client takes (3.0.65): a text, a program with arguments, lists of
 * both, under one of three names. Null for anything else, and for nothing at all.
 */
export function commandsIn(input: unknown): readonly string[] | null {
  const given = isObject(input)
    ? [input.commands, input.cmd].filter((value) => value !== undefined)
    : [input];
  const entries = isObject(input) && input.command !== undefined ? [...given, input] : given;
  const commands = entries.flatMap((entry) => (Array.isArray(entry) ? entry : [entry])).map(commandsOf);
  if (commands.length === 0 || commands.some((one) => one === null)) return null;
  return commands.flatMap((one) => one ?? []);
}

/**
 * A program with arguments goes to a shell as one text, in which only white space is quoted, or to no shell at all: where
 * that makes a difference, both are judged.
 */
function commandsOf(entry: unknown): readonly string[] | null {
  if (typeof entry === 'string') return [entry];
  if (!isObject(entry) || typeof entry.command !== 'string') return null;
  const { command, args = [] } = entry;
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return null;
  const joined = [command, ...args.map((arg) => (/[\s"]/u.test(arg) ? JSON.stringify(arg) : arg))].join(' ');
  const words = [command, ...args.map(shellWord)].join(' ');
  return joined === words ? [joined] : [words, joined];
}

/**
 * One line for all. Each command has a shell of its own, in the folder of the project: what one leaves open, a quote or a
 * folder, is nothing to the next.
 */
export function commandLine(commands: readonly string[]): string {
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) return only;
  return commands.map((command) => `sh -c ${shellWord(command)}`).join('\n');
}
