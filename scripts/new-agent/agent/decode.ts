import * as v from 'valibot';
import type { ToolCall } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, named, requiredText, text } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { textAt } from '../kit/loose-json.ts';
import { fileOperation, hookTools, type ToolNames, toolNames } from '../kit/tools.ts';

// TODO(new-agent): name the fields of every payload, in the client's spelling; keys that are not named pass
const BASE = {
  session_id: requiredText,
  hook_event_name: text,
  transcript_path: text,
  cwd: text,
};

const TOOL = { tool_name: requiredText, tool_input: anyObject, tool_use_id: text };

const wire = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });
const anyWire = wire({});

const row = payloadRows({
  source: 'newagent',
  label: 'New Agent',
  // TODO(new-agent): read these fields from the payload where the client sends them
  common: (_payload: v.InferOutput<typeof anyWire>) => ({
    machineId: null,
    permissionMode: null,
    agentId: null,
    metadata: {},
  }),
});

// TODO(new-agent): add one row for each event of the client, with the fields it sends and the event it becomes
const EVENTS = {
  SessionStart: row(wire({ source: named }), ({ source }) => ({
    type: 'session_start',
    trigger: source,
    model: null,
    title: null,
  })),
  BeforeTool: row(wire(TOOL), (w) => ({ type: 'before_tool', tool: tools.call(w) })),
  AfterTool: row(wire({ ...TOOL, tool_response: v.optional(v.unknown()) }), (w) => ({
    type: 'after_tool',
    tool: tools.result(w, {
      response: w.tool_response ?? null,
      // TODO(new-agent): tell from the payload whether the call failed, and how long it took
      error: null,
      outcome: 'unknown',
      durationMs: null,
    }),
  })),
};

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'New Agent',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
});

// TODO(new-agent): give the canonical name of each tool of the client, then the client's own, then older names
const NAMES: ToolNames = toolNames([
  ['Bash', 'shell'],
  ['Read', 'read_file'],
  ['Write', 'write_file'],
  ['Edit', 'edit_file'],
]);

const tools = hookTools({ names: NAMES, files: filesOf });

export const { withInput } = tools;

// TODO(new-agent): find the path of the file in the arguments of the client's own tools
function filesOf({ name, input }: Pick<ToolCall, 'name' | 'input'>) {
  const path = textAt(input, 'file_path');
  return path === null ? [] : fileOperation(name, path, false);
}

// TODO(new-agent): send what the client sends before a tool call; `hookline try` decodes it
export function toolPayload(request: ToolRequest): unknown {
  return {
    session_id: request.id,
    cwd: request.cwd,
    hook_event_name: 'BeforeTool',
    tool_name: NAMES.native(request.tool),
    tool_input: request.input,
    tool_use_id: request.id,
  };
}
