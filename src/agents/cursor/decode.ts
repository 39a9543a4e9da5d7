import * as v from 'valibot';
import { isObject, parseJson } from '../../model/json.ts';
import type { FileOperation, McpTarget, ToolCall } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, extraFields, flag, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { textAt } from '../kit/loose-json.ts';
import { fileOperation, hookTools, type ToolNames, toolNames } from '../kit/tools.ts';

// The JSON that the executor in @cursor/sdk 1.0.32 sends to hooks. Keys that are not named here pass.
const BASE = {
  session_id: requiredText,
  hook_event_name: text,
  transcript_path: text,
  cwd: text,
  workspace_roots: v.nullish(v.array(v.string()), []),
  model: text,
};

const TOOL = { tool_name: requiredText, tool_input: anyObject, tool_use_id: text };
const OUTPUT = { tool_output: v.optional(v.unknown()), duration: v.nullish(v.number()) };

/** Most events have no folder of their own: it is the first of the workspace. */
const wire = <const E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.looseObject({ ...BASE, ...entries }),
    v.transform((w) => ({ ...w, cwd: w.cwd || w.workspace_roots?.[0] || null })),
  );
const anyWire = wire({});

const row = payloadRows({
  source: 'cursor',
  label: 'Cursor',
  common: (payload: v.InferOutput<typeof anyWire>) => ({
    permissionMode: null,
    agentId: null,
    metadata: extraFields(payload, EXTRA),
  }),
});

const EVENTS = {
  sessionStart: row(anyWire, ({ model }) => ({
    type: 'session_start',
    trigger: 'startup',
    model: model ?? null,
    title: null,
  })),
  sessionEnd: row(wire({ reason: named }), ({ reason }) => ({ type: 'session_end', reason })),
  beforeSubmitPrompt: row(wire({ prompt: v.string() }), ({ prompt }) => ({
    type: 'before_agent',
    prompt,
    title: null,
  })),
  preToolUse: row(wire(TOOL), (w) => ({ type: 'before_tool', tool: tools.call(w, mcpTarget(w.tool_name)) })),
  postToolUse: row(wire({ ...TOOL, ...OUTPUT }), (w) => ({
    type: 'after_tool',
    tool: tools.result(
      w,
      { response: w.tool_output ?? null, error: null, outcome: 'ok', durationMs: w.duration ?? null },
      mcpTarget(w.tool_name),
    ),
  })),
  postToolUseFailure: row(
    wire({ ...TOOL, ...OUTPUT, error_message: textOrEmpty, failure_type: named, is_interrupt: flag }),
    (w) => ({
      type: 'after_tool',
      tool: tools.result(
        w,
        {
          response: w.tool_output ?? w.error_message,
          error: w.error_message,
          outcome: outcomeOf(w.failure_type, w.is_interrupt === true),
          durationMs: w.duration ?? null,
        },
        mcpTarget(w.tool_name),
      ),
    }),
  ),
  // The same call once more, before its own dialog: registered only on request.
  beforeShellExecution: row(wire({ command: v.string() }), ({ command }) => ({
    type: 'permission_request',
    tool: tools.call({ tool_name: 'Shell', tool_input: { command } }),
    suggestions: [],
  })),
  beforeMCPExecution: row(wire({ tool_name: requiredText, tool_input: v.unknown() }), (w) => ({
    type: 'permission_request',
    tool: tools.call(
      { tool_name: `${MCP}${w.tool_name}`, tool_input: mcpInput(w.tool_input) },
      mcpTarget(`${MCP}${w.tool_name}`),
    ),
    suggestions: [],
  })),
  stop: row(wire({ loop_count: v.nullish(v.number(), 0) }), (w) => ({
    type: 'stop',
    ...ending(w.loop_count),
  })),
  subagentStart: row(wire({ subagent_id: text, subagent_type: named }), (w) => ({
    type: 'subagent_start',
    subagentId: w.subagent_id ?? null,
    subagentType: w.subagent_type,
  })),
  subagentStop: row(
    wire({ loop_count: v.nullish(v.number(), 0), subagent_id: text, subagent_type: named }),
    (w) => ({
      type: 'subagent_stop',
      ...ending(w.loop_count),
      subagentId: w.subagent_id ?? null,
      subagentType: w.subagent_type,
      subagentTranscriptPath: null,
    }),
  ),
  preCompact: row(wire({ trigger: named }), ({ trigger }) => ({
    type: 'pre_compact',
    trigger,
    instructions: null,
  })),
};

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Cursor',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
});

/** The executor writes its version into every payload, also for hooks in another agent's settings. */
export function sends(payload: unknown): boolean {
  return isObject(payload) && typeof payload.cursor_version === 'string';
}

/** How often the end of the turn was refused already. */
function ending(loops: number) {
  return { stopHookActive: loops > 0, lastAssistantMessage: null, backgroundTasks: [] };
}

function outcomeOf(failure: string, interrupted: boolean): 'denied' | 'failed' | 'interrupted' {
  if (failure === 'permission_denied') return 'denied';
  return interrupted ? 'interrupted' : 'failed';
}

/** Native fields that no event type has a place for, by our own names. */
const EXTRA = [
  ['cursor_version', 'clientVersion'],
  ['generation_id', 'generationId'],
  ['parent_tool_call_id', 'parentToolCallId'],
  ['status', 'status'],
  ['loop_count', 'loopCount'],
] as const;

/** Canonical name, then the client's own (1.0.32), then those that mean the same. */
export const NAMES: ToolNames = toolNames([
  ['Bash', 'Shell'],
  ['Read', 'Read'],
  // Edits as well.
  ['Write', 'Write'],
  ['Grep', 'Grep'],
  ['Ls', 'List'],
  ['WebFetch', 'Fetch', 'WebFetch'],
  ['WebSearch', 'WebSearch'],
  ['Task', 'Task'],
]);

const tools = hookTools({ names: NAMES, cwd: ['cwd'], files: filesOf });

export const { withInput } = tools;

const MCP = 'MCP:';
const UNNAMED_SERVER = 'unknown';

/** `MCP:<tool>`: which server it is of is not said. */
function mcpTarget(name: string): McpTarget | null {
  return name.startsWith(MCP) ? { server: UNNAMED_SERVER, tool: name.slice(MCP.length) } : null;
}

export function mcpName({ tool }: Pick<McpTarget, 'tool'>): string {
  return `${MCP}${tool}`;
}

/** Arguments of an MCP call are JSON in a text here. */
function mcpInput(input: unknown): Record<string, unknown> {
  const value = typeof input === 'string' ? parseJson(input) : input;
  return isObject(value) ? value : { input };
}

function filesOf({ name, input }: Pick<ToolCall, 'name' | 'input'>): readonly FileOperation[] {
  const path = textAt(input, 'file_path') ?? textAt(input, 'path');
  if (path === null) return [];
  return name === 'Delete' ? [{ op: 'delete', path }] : fileOperation(name, path, false);
}

/** What the client would send before a call of this tool. */
export function toolPayload({ id, cwd, tool, input }: ToolRequest): unknown {
  return {
    conversation_id: id,
    generation_id: id,
    session_id: id,
    hook_event_name: 'preToolUse',
    cursor_version: '1.0.32',
    workspace_roots: [cwd],
    transcript_path: null,
    tool_name: NAMES.native(tool),
    tool_input: input,
    tool_use_id: id,
    cwd,
  };
}
