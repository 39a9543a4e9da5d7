import { entryOf } from './lookup.ts';
/** What kind of thing a tool does, whatever its name: rules and screens group by it. */
export type ToolKind =
  | 'shell'
  | 'read'
  | 'write'
  | 'search'
  | 'network'
  | 'mcp'
  | 'agent'
  | 'question'
  | 'plan'
  | 'task'
  | 'other';

/** One tool call may touch several files: a single patch creates, edits and deletes. */
export interface FileOperation {
  /** `create` if the file is not there before the call, `write` if a whole file is replaced: the same on every agent. */
  readonly op: 'read' | 'create' | 'write' | 'edit' | 'delete' | 'move';
  readonly path: string;
  /** Where a moved file goes. */
  readonly to?: string;
}

export interface McpTarget {
  readonly server: string;
  readonly tool: string;
  /** How the agent reaches the server, where it says so. */
  readonly origin?: McpOrigin;
}

/** The program that was started for a server, or the address of one that runs elsewhere. */
interface McpOrigin {
  readonly command: string | null;
  readonly args: readonly string[];
  readonly cwd: string | null;
  /** An http(s) address, or a TCP one. */
  readonly url: string | null;
}

/** A call of a tool that has not happened yet. */
export interface ToolCall {
  /** Canonical name (Bash, Read, Write, Edit, …); tools of a single agent keep their own name. */
  readonly name: string;
  /** The agent's own name of it. */
  readonly nativeName: string;
  /** What kind of thing it does: `shell`, `read`, `write`, `search`, `network`, `mcp` and more. */
  readonly kind: ToolKind;
  /** The arguments, with the agent's own names. */
  readonly input: Readonly<Record<string, unknown>>;
  /** null where the agent gives the call no id on this event. */
  readonly useId: string | null;
  /** The server and the tool, for calls of MCP tools. */
  readonly mcp: McpTarget | null;
  /** The command line, for shells only. */
  readonly command: string | null;
  /** Where it runs, as the call says it, if not where the session is. */
  readonly cwd?: string;
  /** The call asks to run outside of the agent's sandbox. */
  readonly unsandboxed?: true;
  /** The files that it names, and what it does to each; not those that a command line names. */
  readonly files: readonly FileOperation[];
}

/** A tool that only reads, and its arguments. The lists are closed: effects of other tools are unknown. */
export interface ReadingTool {
  /** At the names of files, or at what is in them. */
  readonly at: 'names' | 'contents';
  /** And at all that lies below. */
  readonly below: boolean;
  /** The arguments that are a path; where none is given, it looks at the folder of the session, if at a folder at all. */
  readonly path: readonly string[];
  /** Those that are patterns of paths. */
  readonly pattern: readonly string[];
  /** Those that change nothing about where it looks. */
  readonly others: readonly string[];
}

/** A question that an agent puts to a person. */
export interface Question {
  readonly id: string;
  readonly text: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiple: boolean;
}

/** What was chosen or written, by question id. */
export type QuestionAnswers = Readonly<Record<string, readonly string[]>>;

export type ToolOutcome = 'ok' | 'failed' | 'denied' | 'interrupted' | 'unknown';

/** A call that has happened. */
export interface ToolResult extends ToolCall {
  /** What the tool gave back, in the agent's own shape. */
  readonly response: unknown;
  /** What went wrong, where the agent says so. */
  readonly error: string | null;
  /** `ok`, `failed`, `denied`, `interrupted` or `unknown`. */
  readonly outcome: ToolOutcome;
  /** Where the agent says so. */
  readonly durationMs: number | null;
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: 'shell',
  PowerShell: 'shell',
  Monitor: 'shell',
  Read: 'read',
  Write: 'write',
  Edit: 'write',
  NotebookEdit: 'write',
  Glob: 'search',
  Grep: 'search',
  Ls: 'search',
  WebFetch: 'network',
  WebSearch: 'network',
  Task: 'agent',
  AskUserQuestion: 'question',
  ExitPlanMode: 'plan',
  EnterPlanMode: 'plan',
  TaskCreate: 'task',
  TaskUpdate: 'task',
  TodoWrite: 'task',
};

/** The canonical names. */
export const TOOL_NAMES: readonly string[] = Object.keys(KINDS);

/** The kind of a canonical tool name; MCP tools are recognised by their target, not by their name. */
export function toolKind(name: string, mcp: McpTarget | null): ToolKind {
  return mcp ? 'mcp' : (entryOf(KINDS, name) ?? 'other');
}
