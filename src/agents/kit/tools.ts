import {
  type FileOperation,
  type McpTarget,
  type ToolCall,
  type ToolResult,
  toolKind,
} from '../../model/tools.ts';
import { textAt } from './loose-json.ts';

type Input = Readonly<Record<string, unknown>>;

/** The fields of every tool event of the clients that name a tool by `tool_name`. */
export interface ToolWire {
  readonly tool_name: string;
  readonly tool_input: Input;
  readonly tool_use_id?: string | null | undefined;
}

/** A call before it is known which files it is about. */
type NamedCall = Omit<ToolCall, 'kind' | 'command' | 'cwd' | 'unsandboxed' | 'files'>;

/** What differs between these clients. */
interface ToolClient {
  readonly names: ToolNames;
  /** The arguments of a shell that say in which folder a command runs. */
  readonly cwd?: readonly string[];
  /** Whether these arguments ask to run outside of the client's sandbox. */
  leavesSandbox?(input: Input): boolean;
  /** The files that a call reads or writes; the response is undefined before it ran. */
  files(call: NamedCall, response: unknown): readonly FileOperation[];
}

interface HookTools {
  /** The MCP target is that in the name, `mcp__<server>__<tool>`, unless given. */
  call(wire: ToolWire, mcp?: McpTarget | null): ToolCall;
  /** A call that has happened. */
  result(wire: ToolWire, result: Omit<ToolResult, keyof ToolCall>, mcp?: McpTarget | null): ToolResult;
  /** The same call with other arguments. */
  withInput(tool: ToolCall, input: Input): ToolCall;
}

export function hookTools({ names, cwd = [], leavesSandbox, files }: ToolClient): HookTools {
  const named = (wire: ToolWire, mcp = mcpTargetIn(wire.tool_name)): NamedCall => ({
    name: mcp ? wire.tool_name : names.canonical(wire.tool_name),
    nativeName: wire.tool_name,
    input: wire.tool_input,
    useId: wire.tool_use_id ?? null,
    mcp,
  });
  const complete = (call: NamedCall, response?: unknown): ToolCall => {
    const made = toolCallOf(call, cwd, files(call, response));
    return leavesSandbox?.(call.input) ? { ...made, unsandboxed: true } : made;
  };
  return {
    call: (wire, mcp) => complete(named(wire, mcp)),
    result: (wire, { response, error, outcome, durationMs }, mcp) => ({
      ...complete(named(wire, mcp), response),
      response,
      error,
      outcome,
      durationMs,
    }),
    withInput: ({ name, nativeName, useId, mcp }, input) => complete({ name, nativeName, input, useId, mcp }),
  };
}

/** The kind of a call, and the command of a shell, follow from its name and arguments. */
function toolCallOf(call: NamedCall, cwdNames: readonly string[], files: readonly FileOperation[]): ToolCall {
  const { name, nativeName, input, useId, mcp } = call;
  const kind = toolKind(name, mcp);
  const command = kind === 'shell' ? textAt(input, 'command') : null;
  const cwd = kind === 'shell' && cwdNames.map((argument) => textAt(input, argument)).find(Boolean);
  return cwd
    ? { name, nativeName, kind, input, useId, mcp, command, cwd, files }
    : { name, nativeName, kind, input, useId, mcp, command, files };
}

/** Whether an argument that is on or off is on. What a model writes in its place counts as on. */
export function isOn(value: unknown): boolean {
  return ![undefined, null, false, '', 'false'].some((off) => value === off);
}

/** What a canonical tool does to the one file it is called with. Before a call the engine looks whether it is new. */
export function fileOperation(name: string, path: string, isNew: boolean): readonly FileOperation[] {
  switch (name) {
    case 'Read':
      return [{ op: 'read', path }];
    case 'Write':
      return [{ op: isNew ? 'create' : 'write', path }];
    case 'Edit':
    case 'NotebookEdit':
      return [{ op: 'edit', path }];
    default:
      return [];
  }
}

/** The server and tool in `mcp__<server>__<tool>`, where the server's own name has no double underscore. */
export function mcpTargetIn(toolName: string): McpTarget | null {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(toolName) ?? [];
  return server !== undefined && tool !== undefined ? { server, tool } : null;
}

/** Canonical names of native ones, and the other way round; a name that is in neither list stays as it is. */
export interface ToolNames {
  canonical(native: string): string;
  native(canonical: string): string;
}

/** Each row has a canonical name, the client's own, and older or other ones that mean the same. */
export function toolNames(
  rows: readonly (readonly [canonical: string, native: string, ...others: string[]])[],
): ToolNames {
  const canonical = new Map(rows.flatMap(([name, ...words]) => words.map((word) => [word, name] as const)));
  const native = new Map(rows.map(([name, word]) => [name, word] as const));
  return { canonical: (name) => canonical.get(name) ?? name, native: (name) => native.get(name) ?? name };
}
