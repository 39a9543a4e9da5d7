import {
  type FileOperation,
  type McpTarget,
  type ToolCall,
  type ToolResult,
  toolKind,
} from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { finished } from '../decoding.ts';
import { isObject, textAt } from '../loose-json.ts';

/** The fields that every native tool event shares. */
export interface ToolWire {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string | null | undefined;
  readonly mcp_server?: { name?: string | null | undefined } | null | undefined;
}

export interface ResultWire extends ToolWire {
  readonly tool_response?: unknown;
  readonly tool_output?: unknown;
  readonly duration_ms?: number | null | undefined;
}

// "Agent" was "Task" until 2.1; the other old names still come from wrappers and recordings.
const CANONICAL: ReadonlyMap<string, string> = new Map([
  ['Agent', 'Task'],
  ['LS', 'Ls'],
  ['MultiEdit', 'Edit'],
  ['KillShell', 'TaskStop'],
  ['KillBash', 'TaskStop'],
]);

/** The name that the client's own permission rules use for a canonical tool. */
export function nativeToolName(name: string): string {
  return name === 'Task' ? 'Agent' : name;
}

export function toolCall(wire: ToolWire): ToolCall {
  const name = CANONICAL.get(wire.tool_name) ?? wire.tool_name;
  const mcp = mcpTarget(wire.tool_name, wire.mcp_server?.name ?? null);
  const kind = toolKind(name, mcp);
  return {
    name,
    nativeName: wire.tool_name,
    kind,
    input: wire.tool_input,
    useId: wire.tool_use_id ?? null,
    mcp,
    command: kind === 'shell' ? textAt(wire.tool_input, 'command') : null,
    files: filesOf(name, wire.tool_input, undefined),
  };
}

/** The same call with other arguments. */
export function retool(tool: ToolCall, input: Readonly<Record<string, unknown>>): ToolCall {
  return toolCall({
    tool_name: tool.nativeName,
    tool_input: input,
    tool_use_id: tool.useId,
    mcp_server: tool.mcp && { name: tool.mcp.server },
  });
}

/** What the client would send before a call of this tool. */
export function toolPayload(request: ToolRequest): unknown {
  return {
    session_id: request.id,
    transcript_path: '',
    cwd: request.cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: nativeToolName(request.tool),
    tool_input: request.input,
    tool_use_id: request.id,
  };
}

/** A call that has happened, as far as the payload itself tells how it went. */
export function toolResult(
  wire: ResultWire,
  fate: Pick<ToolResult, 'error' | 'outcome'>,
  response: unknown = responseOf(wire),
): ToolResult {
  const call = toolCall(wire);
  return finished(call, {
    files: filesOf(call.name, wire.tool_input, response),
    response,
    error: fate.error,
    outcome: fate.outcome,
    durationMs: wire.duration_ms ?? null,
  });
}

export function responseOf(wire: ResultWire): unknown {
  return wire.tool_response === undefined ? (wire.tool_output ?? null) : wire.tool_response;
}

/** True when the client itself says that the call was cut short. */
export function wasInterrupted(response: unknown): boolean {
  return isObject(response) && response.interrupted === true;
}

/**
 * `mcp__<server>__<tool>`: where the server's own name has a double underscore, only the payload's `mcp_server`
 * can tell where the tool begins. Characters that a tool name may not have are underscores in it.
 */
function mcpTarget(toolName: string, serverName: string | null): McpTarget | null {
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

function filesOf(name: string, input: ToolWire['tool_input'], response: unknown): FileOperation[] {
  const path = textAt(input, name === 'NotebookEdit' ? 'notebook_path' : 'file_path');
  if (path === null) return [];
  switch (name) {
    case 'Read':
      return [{ op: 'read', path }];
    case 'Write':
      // Whether the file is new is known only afterwards.
      return [{ op: isObject(response) && response.type === 'create' ? 'create' : 'write', path }];
    case 'Edit':
    case 'NotebookEdit':
      return [{ op: 'edit', path }];
    default:
      return [];
  }
}
