import {
  type FileOperation,
  type McpTarget,
  type ToolCall,
  type ToolOutcome,
  type ToolResult,
  toolKind,
} from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { finished } from '../decoding.ts';
import { isObject, textAt } from '../loose-json.ts';
import { patchOperations, patchToCreate, patchToEdit } from './patch.ts';

type Input = Readonly<Record<string, unknown>>;

/** The fields that every native tool event shares. */
export interface ToolWire {
  readonly tool_name: string;
  readonly tool_input: Input;
  readonly tool_use_id?: string | null | undefined;
}

/**
 * One patch may create, edit, move and delete; it has one name all the same, so that a rule on the name holds for
 * every patch, and `files` tells the rest.
 */
const CANONICAL: ReadonlyMap<string, string> = new Map([
  ['apply_patch', 'Edit'],
  ['spawn_agent', 'Task'],
  // Other files are read by shell commands.
  ['view_image', 'Read'],
  ['request_user_input', 'AskUserQuestion'],
]);

export function toolCall(wire: ToolWire): ToolCall {
  const name = CANONICAL.get(wire.tool_name) ?? wire.tool_name;
  const mcp = mcpTarget(wire.tool_name);
  const kind = toolKind(name, mcp);
  return {
    name,
    nativeName: wire.tool_name,
    kind,
    input: wire.tool_input,
    useId: wire.tool_use_id ?? null,
    mcp,
    command: kind === 'shell' ? textAt(wire.tool_input, 'command') : null,
    files: filesOf(wire),
  };
}

/** The same call with other arguments. */
export function retool(tool: ToolCall, input: Input): ToolCall {
  return toolCall({ tool_name: tool.nativeName, tool_input: input, tool_use_id: tool.useId });
}

/** A call that has happened, as far as the payload tells how it went. */
export function toolResult(wire: ToolWire & { readonly tool_response?: unknown }): ToolResult {
  const call = toolCall(wire);
  const response = wire.tool_response ?? null;
  const outcome = outcomeOf(wire.tool_name, response);
  return finished(call, {
    files: call.files,
    response,
    error: outcome === 'failed' && typeof response === 'string' ? response : null,
    outcome,
    durationMs: null,
  });
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
  const native = [...CANONICAL].find(([, canonical]) => canonical === tool)?.[0] ?? tool;
  return [native, native === 'view_image' && path !== null ? { path } : input];
}

function outcomeOf(tool: string, response: unknown): ToolOutcome {
  // A shell command's response is its output and nothing else: the exit code is not told (0.166.0).
  if (tool === 'Bash') return 'unknown';
  if (tool === 'apply_patch' && typeof response === 'string') {
    const code = /^Exit code: (-?\d+)/.exec(response)?.[1];
    return code === undefined ? 'unknown' : code === '0' ? 'ok' : 'failed';
  }
  if (isObject(response) && (response.isError === true || response.is_error === true)) return 'failed';
  // The client has no event for a call that went wrong: it sends this one only after a tool that did its work.
  return 'ok';
}

/** `mcp__<server>__<tool>`, where a server's own name has no double underscore. */
function mcpTarget(toolName: string): McpTarget | null {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(toolName) ?? [];
  return server !== undefined && tool !== undefined ? { server, tool } : null;
}

function filesOf({ tool_name, tool_input }: ToolWire): FileOperation[] {
  const command = textAt(tool_input, 'command') ?? '';
  // The client catches `apply_patch <<EOF` before it gets to a shell, and applies it itself (0.166.0).
  if (tool_name === 'apply_patch' || (tool_name === 'Bash' && /\bapply_?patch\b/.test(command)))
    return patchOperations(command);
  const path = tool_name === 'view_image' ? textAt(tool_input, 'path') : null;
  return path === null ? [] : [{ op: 'read', path }];
}
