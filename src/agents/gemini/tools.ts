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
import { outcomeOf } from './outcome.ts';

/** The fields that both native tool events share. */
export interface ToolWire {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly mcp_context?:
    | { server_name?: string | null | undefined; tool_name?: string | null | undefined }
    | null
    | undefined;
}

/**
 * Canonical name, then the one the client sends (0.61.0), then those of older versions, of its screens and of
 * dispatcher scripts, which name tools by their classes.
 */
const FAMILIES: readonly (readonly [canonical: string, native: string, ...others: string[]])[] = [
  ['Bash', 'run_shell_command', 'RunShellCommand', 'ShellTool', 'Shell', 'ShellCommand'],
  ['Read', 'read_file', 'ReadFile', 'ReadFileTool', 'read_many_files', 'ReadManyFiles', 'ReadManyFilesTool'],
  ['Write', 'write_file', 'WriteFile', 'WriteFileTool'],
  ['Edit', 'replace', 'EditFile', 'EditFileTool', 'EditTool', 'edit', 'smart_edit', 'Replace'],
  ['Glob', 'glob', 'GlobTool', 'FindFiles'],
  [
    'Grep',
    'grep_search',
    'search_file_content',
    'GrepTool',
    'SearchText',
    'SearchFileContent',
    'RipGrepTool',
  ],
  ['Ls', 'list_directory', 'ListDirectory', 'ListDirectoryTool', 'LSTool', 'ReadFolder'],
  ['WebFetch', 'web_fetch', 'WebFetchTool'],
  ['WebSearch', 'google_web_search', 'GoogleWebSearch', 'GoogleSearch', 'WebSearchTool'],
  ['TodoWrite', 'write_todos', 'WriteTodos', 'WriteTodosTool'],
  ['AskUserQuestion', 'ask_user', 'AskUser', 'AskUserTool'],
  ['EnterPlanMode', 'enter_plan_mode', 'EnterPlanModeTool'],
  ['ExitPlanMode', 'exit_plan_mode', 'ExitPlanModeTool'],
  ['Task', 'invoke_agent', 'InvokeAgent', 'delegate_to_agent'],
  ['Skill', 'activate_skill', 'ActivateSkill'],
];

const CANONICAL: ReadonlyMap<string, string> = new Map(
  FAMILIES.flatMap(([canonical, ...names]) => names.map((name) => [name, canonical] as const)),
);
const NATIVE: ReadonlyMap<string, string> = new Map(
  FAMILIES.map(([canonical, native]) => [canonical, native]),
);

export function canonicalToolName(native: string): string {
  return CANONICAL.get(native) ?? native;
}

/** The client's own name of a canonical tool; a name that is not canonical is taken for its own. */
export function nativeToolName(name: string): string {
  return NATIVE.get(name) ?? name;
}

export function toolCall(wire: ToolWire): ToolCall {
  const mcp = mcpTarget(wire);
  const name = mcp ? wire.tool_name : canonicalToolName(wire.tool_name);
  const kind = toolKind(name, mcp);
  return {
    name,
    nativeName: wire.tool_name,
    kind,
    input: wire.tool_input,
    // 0.61.0 gives a call no id on any event.
    useId: null,
    mcp,
    command: kind === 'shell' ? textAt(wire.tool_input, 'command') : null,
    files: filesOf(name, wire.tool_input, undefined),
  };
}

/** A call that has happened. */
export function toolResult(wire: ToolWire & { readonly tool_response?: unknown }): ToolResult {
  const call = toolCall(wire);
  const response = wire.tool_response ?? null;
  return finished(call, {
    files: filesOf(call.name, wire.tool_input, response),
    response,
    ...outcomeOf(call.kind, response),
    durationMs: null,
  });
}

/** The same call with other arguments. */
export function retool(tool: ToolCall, input: Readonly<Record<string, unknown>>): ToolCall {
  return toolCall({
    tool_name: tool.nativeName,
    tool_input: input,
    mcp_context: tool.mcp && { server_name: tool.mcp.server, tool_name: tool.mcp.tool },
  });
}

/** What the client would send before a call of this tool. */
export function toolPayload(request: ToolRequest): unknown {
  return {
    session_id: request.id,
    transcript_path: '',
    cwd: request.cwd,
    hook_event_name: 'BeforeTool',
    tool_name: nativeToolName(request.tool),
    tool_input: request.input,
  };
}

/**
 * The client says which server and tool it is. Without that (`hookline try`, old wrappers) the name has to do:
 * `mcp_<server>_<tool>`, where a server with an underscore in its name cannot be told from the tool.
 */
function mcpTarget({ tool_name: name, mcp_context: context }: ToolWire): McpTarget | null {
  if (context?.server_name && context.tool_name)
    return { server: context.server_name, tool: context.tool_name };
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? /^mcp_([^_]+)_(.+)$/.exec(name) ?? [];
  return server && tool ? { server, tool } : null;
}

/** Paths are as the model wrote them, often relative to the working directory. */
function filesOf(name: string, input: ToolWire['tool_input'], response: unknown): FileOperation[] {
  const path = textAt(input, 'file_path') ?? textAt(input, 'absolute_path');
  if (path === null) return name === 'Read' ? manyFiles(input) : [];
  switch (name) {
    case 'Read':
      return [{ op: 'read', path }];
    case 'Write':
      // Whether the file is new is known only afterwards.
      return [{ op: isNewFile(response) ? 'create' : 'write', path }];
    case 'Edit':
      return [{ op: 'edit', path }];
    default:
      return [];
  }
}

function manyFiles(input: ToolWire['tool_input']): FileOperation[] {
  const paths = [input.paths, input.include].find(Array.isArray) ?? [];
  return paths
    .filter((path: unknown) => typeof path === 'string')
    .map((path: string) => ({ op: 'read', path }));
}

function isNewFile(response: unknown): boolean {
  const display = isObject(response) ? response.returnDisplay : undefined;
  return isObject(display) && display.isNewFile === true;
}
