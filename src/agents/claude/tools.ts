import * as v from 'valibot';
import { isObject } from '../../model/json.ts';
import type { FileOperation, McpTarget, ToolCall, ToolOutcome, ToolResult } from '../../model/tools.ts';
import type { Agent, ToolRequest } from '../agent.ts';
import { textAt } from '../kit/loose-json.ts';
import { statedExitCode } from '../kit/stated.ts';
import { fileOperation, hookTools, isOn, type ToolNames, type ToolWire, toolNames } from '../kit/tools.ts';

interface CallWire extends ToolWire {
  readonly mcp_server?: { name?: string | null | undefined } | null | undefined;
}

interface ResultWire extends CallWire {
  readonly tool_response?: unknown;
  readonly tool_output?: unknown;
  readonly duration_ms?: number | null | undefined;
}

// "Agent" was "Task" until 2.1; the other old names still come from wrappers and recordings.
export const NAMES: ToolNames = toolNames([
  ['Task', 'Agent'],
  ['Ls', 'Ls', 'LS'],
  ['Edit', 'Edit', 'MultiEdit'],
  ['TaskStop', 'TaskStop', 'KillShell', 'KillBash'],
]);

/** Arguments of 2.1.325. */
export const readingTools: NonNullable<Agent['readingTools']> = {
  Read: {
    at: 'contents',
    below: false,
    path: ['file_path'],
    pattern: [],
    others: ['offset', 'limit', 'pages'],
  },
  Grep: {
    at: 'contents',
    below: true,
    path: ['path'],
    pattern: ['glob'],
    others: [
      ...['pattern', 'output_mode', 'head_limit', 'offset', 'type', 'multiline', 'context'],
      ...['-A', '-B', '-C', '-n', '-i', '-o'],
    ],
  },
  Glob: { at: 'names', below: false, path: ['path'], pattern: ['pattern'], others: [] },
  Ls: { at: 'names', below: false, path: ['path'], pattern: ['ignore'], others: [] },
};

const tools = hookTools({
  names: NAMES,
  leavesSandbox: ({ dangerouslyDisableSandbox }) => isOn(dangerouslyDisableSandbox),
  files: filesOf,
});

export const { withInput } = tools;

export function toolCall(wire: CallWire): ToolCall {
  return tools.call(wire, mcpTarget(wire));
}

/** What the client would send before a call of this tool. */
export function toolPayload(request: ToolRequest): unknown {
  return {
    session_id: request.id,
    transcript_path: '',
    cwd: request.cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: NAMES.native(request.tool),
    tool_input: request.input,
    tool_use_id: request.id,
  };
}

/** A call that has happened, as far as the payload itself says how it went. */
export function toolResult(
  wire: ResultWire,
  fate: Pick<ToolResult, 'error' | 'outcome'>,
  response: unknown = responseOf(wire),
): ToolResult {
  return tools.result(wire, { response, ...fate, durationMs: wire.duration_ms ?? null }, mcpTarget(wire));
}

export function responseOf(wire: ResultWire): unknown {
  return wire.tool_response === undefined ? (wire.tool_output ?? null) : wire.tool_response;
}

/** How a call went that the client reports as done. */
export function doneOutcome(wire: ResultWire): ToolOutcome {
  const response = responseOf(wire);
  if (isObject(response)) {
    if (response.interrupted === true) return 'interrupted';
    // A command that was sent to the background has only been started (2.1.325).
    return typeof response.backgroundTaskId === 'string' ? 'unknown' : 'ok';
  }
  // Older versions and wrappers send what a command printed, and in it how it ended.
  const failed = typeof response === 'string' && toolCall(wire).kind === 'shell' && statedExitCode(response);
  return failed ? 'failed' : 'ok';
}

/**
 * `mcp__<server>__<tool>`: where the server's own name has a double underscore, only the payload's `mcp_server`
 * says where the tool begins. Characters that a tool name may not have are underscores in it.
 */
function mcpTarget({ tool_name: toolName, mcp_server }: CallWire): McpTarget | null {
  const serverName = mcp_server?.name ?? null;
  if (!toolName.startsWith('mcp__')) return null;
  const rest = toolName.slice('mcp__'.length);
  if (serverName !== null) {
    const prefix = `${serverName.replace(/[^A-Za-z0-9_-]/g, '_')}__`;
    if (rest.startsWith(prefix)) return { server: serverName, tool: rest.slice(prefix.length) };
  }
  const border = rest.indexOf('__');
  if (border <= 0) return null;
  return { server: serverName ?? rest.slice(0, border), tool: rest.slice(border + 2) };
}

function filesOf(
  { name, input }: Pick<ToolCall, 'name' | 'input'>,
  response: unknown,
): readonly FileOperation[] {
  const path = textAt(input, name === 'NotebookEdit' ? 'notebook_path' : 'file_path');
  const isNew = isObject(response)
    ? response.type === 'create'
    : typeof response === 'string' && response.startsWith('File created successfully');
  return path === null ? [] : fileOperation(name, path, isNew);
}

const questionInput = v.looseObject({
  questions: v.array(
    v.looseObject({
      question: v.string(),
      options: v.optional(
        v.array(v.looseObject({ label: v.string(), description: v.optional(v.string(), '') })),
        [],
      ),
      multiSelect: v.optional(v.boolean(), false),
    }),
  ),
});

/**
 * AskUserQuestion: answers are keyed by the text of the question, several choices are joined by commas, and free text
 * is taken as it is (2.1.325). Everything else of the input has to be echoed, which a rewrite does anyway.
 */
export const questions: NonNullable<Agent['questions']> = {
  read(tool) {
    const parsed = v.safeParse(questionInput, tool.input);
    if (!parsed.success) return [];
    return parsed.output.questions.map(({ question, options, multiSelect }) => ({
      id: question,
      text: question,
      options: options.map(({ label, description }) => ({ label, description })),
      multiple: multiSelect,
    }));
  },
  answer: (_, answers) => ({
    answers: Object.fromEntries(
      Object.entries(answers).map(([question, chosen]) => [question, chosen.join(', ')]),
    ),
  }),
};

/** A new output in the shape that the tool has, or why there is none. */
type Replacement =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly reason: string };

/**
 * 2.1.325 checks a replaced output against the tool's own shape and drops one that differs, so that the model would
 * see what it was not to see. Texts are put where the tool has its text; anything else must match what was there.
 */
export function replacementFor(tool: ToolResult, wanted: unknown): Replacement {
  if (tool.mcp) return replaceMcp(tool.response, wanted);
  const original = tool.response;
  if (typeof wanted === 'string' && typeof original !== 'string') {
    const output = isObject(original) ? withText(tool.name, original, wanted) : null;
    if (output) return { ok: true, output };
    return { ok: false, reason: `${tool.name} has no single text to replace: give all of its output.` };
  }
  if (sameShape(original, wanted)) return { ok: true, output: wanted };
  return { ok: false, reason: `The new output does not have the shape of ${tool.name}'s output.` };
}

function replaceMcp(original: unknown, wanted: unknown): Replacement {
  if (typeof wanted === 'string') {
    return { ok: true, output: Array.isArray(original) ? [{ type: 'text', text: wanted }] : wanted };
  }
  if (Array.isArray(wanted) && wanted.every((block) => isObject(block) && typeof block.type === 'string')) {
    return { ok: true, output: wanted };
  }
  return { ok: false, reason: 'An MCP tool answers with a text or a list of content blocks.' };
}

function withText(name: string, original: Record<string, unknown>, text: string): unknown {
  switch (name) {
    case 'Bash': {
      // The paths lead to the whole output on disk, which is what was to be replaced.
      const { rawOutputPath: _, persistedOutputPath: __, persistedOutputSize: ___, ...rest } = original;
      return { ...rest, stdout: text, stderr: '', ...('isImage' in rest ? { isImage: false } : {}) };
    }
    case 'Read': {
      if (original.type !== 'text' || !isObject(original.file)) return null;
      const numLines = text.split('\n').length;
      return { ...original, file: { ...original.file, content: text, numLines, totalLines: numLines } };
    }
    case 'WebFetch':
      return typeof original.result === 'string' ? { ...original, result: text } : null;
    default:
      return null;
  }
}

/** Every key that was there is there again, with the same kind of value. */
function sameShape(original: unknown, wanted: unknown): boolean {
  if (!isObject(original) || !isObject(wanted))
    return typeof original === typeof wanted && !isObject(original);
  return Object.entries(original).every(
    ([key, value]) => Object.hasOwn(wanted, key) && (value === null || kindOf(value) === kindOf(wanted[key])),
  );
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}
