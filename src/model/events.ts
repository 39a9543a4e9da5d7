import type { ToolCall, ToolResult } from './tools.ts';

/** What every event has, whichever agent it came from. */
export interface EventBase {
  /** Ours; the same call never gets two. */
  readonly id: string;
  /** Id of the agent, as in `ls src/agents`. */
  readonly source: string;
  /** The agent's own name of the event: opaque outside that agent's folder. */
  readonly nativeEvent: string;
  /** The agent's own id of the session. */
  readonly sessionId: string;
  /** When it happened, in ms since the epoch: by the client's clock where it gives a time, else `receivedAt`. */
  readonly timestamp: number;
  /** When it reached us. */
  readonly receivedAt: number;
  /** Where the session is. */
  readonly cwd: string | null;
  /** Which machine, and which user on it. */
  readonly machineId: string | null;
  readonly userId: string | null;
  /** The project's folder, unless the payload names the project. */
  readonly projectId: string | null;
  /** The folder of the project, where the payload calls the project by another name. */
  readonly projectFolder?: string | null;
  /** The run of `hookline exec` that it is a part of, unless the payload names another workflow. */
  readonly workflowId: string | null;
  /** Where the agent keeps the conversation. */
  readonly transcriptPath: string | null;
  /** In the agent's word, such as `plan`. */
  readonly permissionMode: string | null;
  /** Set inside a subagent only. */
  readonly agentId: string | null;
  /** Position in the session, counted by us from 1; 0 until the store has placed the event. */
  readonly sequence: number;
  /** Which prompt of the session it belongs to; 0 before the first. */
  readonly promptNumber: number;
  /** Which call of the session it is about, or came last; 0 before the first. */
  readonly toolNumber: number;
  /** The payload as it came. */
  readonly native: unknown;
  /** What else the payload says that no field has. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface BackgroundTask {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly description: string;
}

/** One permission the agent's own dialog would offer to remember. Its shape is the agent's. */
export type PermissionSuggestion = Readonly<Record<string, unknown>>;

interface Turn {
  /** True when the agent goes on only because an earlier answer refused to let it stop. */
  readonly stopHookActive: boolean;
  /** Why the model stopped, in the agent's word, where it says so. */
  readonly stopReason?: string;
  readonly lastAssistantMessage: string | null;
  readonly backgroundTasks: readonly BackgroundTask[];
}

interface Model {
  readonly fromModel: string;
  readonly toModel: string;
  readonly trigger: string;
}

interface TaskFields {
  readonly taskId: string;
  readonly subject: string;
  readonly description: string | null;
  readonly teammate: string | null;
}

interface Fields {
  /** A session begins, goes on after a pause, or starts over. */
  session_start: { readonly trigger: string; readonly model: string | null; readonly title: string | null };
  /** A session ends, as far as the agent gets to say so. */
  session_end: { readonly reason: string };
  /** The agent prepares itself for a project. */
  setup: { readonly trigger: string };
  /** A prompt was given, and the model has not seen it yet. */
  before_agent: { readonly prompt: string; readonly title: string | null };
  /** A command of the agent, such as `/review`, became a prompt. */
  user_prompt_expansion: {
    readonly prompt: string;
    readonly commandName: string;
    readonly commandArgs: string;
    readonly expansion: string;
  };
  /** The turn is about to end, on agents that repeat the prompt then. */
  after_agent: Turn & { readonly prompt: string | null };
  /** The turn is about to end. */
  stop: Turn;
  /** The turn ended with an error. */
  stop_failure: {
    readonly error: string;
    readonly details: string | null;
    readonly lastAssistantMessage: string | null;
  };
  /** The turn was interrupted. */
  interrupt: { readonly reason: string | null };
  /** A tool is about to be called. */
  before_tool: { readonly tool: ToolCall };
  /** A tool was called. */
  after_tool: { readonly tool: ToolResult };
  /** All calls that the model asked for at once have ended. */
  post_tool_batch: { readonly calls: readonly ToolResult[] };
  /** The model is about to be offered its tools. */
  before_tool_selection: { readonly request: unknown };
  /** The model is about to be asked. */
  before_model: { readonly request: unknown };
  /** The model has answered, or sent a part of its answer. */
  after_model: { readonly request: unknown; readonly response: unknown };
  /** The agent would ask for permission now. */
  permission_request: {
    readonly tool: ToolCall;
    readonly suggestions: readonly PermissionSuggestion[];
    /** The agent also sends this in cases where it would not ask, and doesn't say which. */
    readonly unsure?: true;
  };
  /** The agent has denied a call by itself. */
  permission_denied: { readonly tool: ToolCall; readonly reason: string };
  /** The conversation is about to be shortened. */
  pre_compact: { readonly trigger: string; readonly instructions: string | null };
  /** The conversation was shortened. */
  post_compact: { readonly trigger: string; readonly summary: string | null };
  /** Another model is about to take over. */
  pre_model_switch: Model;
  /** Another model has taken over. */
  post_model_switch: Model;
  /** A subagent begins. */
  subagent_start: { readonly subagentId: string | null; readonly subagentType: string };
  /** A subagent is about to end. */
  subagent_stop: Turn & {
    readonly subagentId: string | null;
    readonly subagentType: string;
    readonly subagentTranscriptPath: string | null;
  };
  /** A teammate has nothing left to do. */
  teammate_idle: { readonly teammate: string; readonly team: string | null };
  /** A task is about to be added to the list. */
  task_created: TaskFields;
  /** A task is about to be marked as done. */
  task_completed: TaskFields;
  /** The agent notifies the user. */
  notification: {
    readonly message: string;
    readonly title: string | null;
    readonly kind: string;
    /** What else the agent says of it, where it does, in a shape of its own. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
  /** An MCP server asks the user something. */
  elicitation: {
    readonly server: string;
    readonly message: string;
    readonly mode: string;
    readonly schema: unknown;
  };
  /** The user has answered an MCP server. */
  elicitation_result: { readonly server: string; readonly action: string; readonly content: unknown };
  /** Settings of the agent have changed. */
  config_change: { readonly scope: string; readonly path: string | null };
  /** A file with instructions was read. */
  instructions_loaded: { readonly path: string; readonly scope: string; readonly reason: string };
  /** The session has moved to another folder. */
  cwd_changed: { readonly from: string; readonly to: string };
  /** A file that the session watches has changed. */
  file_changed: { readonly path: string; readonly change: string };
  /** A folder was added to the session. */
  directory_added: { readonly path: string; readonly trigger: string };
  /** A worktree is about to be made. */
  worktree_create: { readonly name: string };
  /** A worktree is about to be removed. */
  worktree_remove: { readonly path: string };
  /** A part of a message is shown. */
  message_display: {
    readonly messageId: string;
    readonly index: number;
    readonly final: boolean;
    readonly delta: string;
  };
  /** An event we do not know, or a payload we could not read (`problem`). It always passes. */
  unknown: { readonly problem: string | null };
}

export type EventType = keyof Fields;
export type EventOf<T extends EventType> = { [K in T]: EventBase & { readonly type: K } & Fields[K] }[T];
export type HookEvent = EventOf<EventType>;

/** Events about one tool call. */
export type ToolEvent = EventOf<'before_tool' | 'after_tool' | 'permission_request' | 'permission_denied'>;

/** The folder whose rules and hooks apply. */
export function projectFolderOf({ projectId, projectFolder }: EventBase): string | null {
  return projectFolder === undefined ? projectId : projectFolder;
}

export function isToolEvent(event: HookEvent): event is ToolEvent {
  return 'tool' in event;
}

/** In the order of a session, as people read them. */
export const EVENT_TYPES: readonly EventType[] = [
  'setup',
  'session_start',
  'before_agent',
  'user_prompt_expansion',
  'before_model',
  'before_tool_selection',
  'after_model',
  'before_tool',
  'permission_request',
  'permission_denied',
  'after_tool',
  'post_tool_batch',
  'stop',
  'after_agent',
  'stop_failure',
  'interrupt',
  'subagent_start',
  'subagent_stop',
  'task_created',
  'task_completed',
  'teammate_idle',
  'pre_compact',
  'post_compact',
  'pre_model_switch',
  'post_model_switch',
  'notification',
  'elicitation',
  'elicitation_result',
  'config_change',
  'instructions_loaded',
  'cwd_changed',
  'file_changed',
  'directory_added',
  'worktree_create',
  'worktree_remove',
  'message_display',
  'session_end',
  'unknown',
];

/** One name for what several event types mean, so that one rule applies on every agent. */
export const EVENT_GROUPS = {
  turn_start: ['before_agent'],
  turn_end: ['stop', 'after_agent'],
  tool: ['before_tool', 'permission_request'],
} as const satisfies Readonly<Record<string, readonly EventType[]>>;

/** The types that each group stands for. */
export type EventGroups = {
  readonly [G in keyof typeof EVENT_GROUPS]: (typeof EVENT_GROUPS)[G][number];
};

/** Names a session among those of all agents: two of them may use the same id. */
export function sessionKey({
  source,
  sessionId,
}: {
  readonly source: string;
  readonly sessionId: string;
}): string {
  return `${source}\0${sessionId}`;
}

/** Events about a call that has not happened yet. */
export const CALLS_AHEAD: ReadonlySet<EventType> = new Set(EVENT_GROUPS.tool);

const NAMED: ReadonlyMap<string, readonly EventType[]> = new Map([
  ...Object.entries<readonly EventType[]>(EVENT_GROUPS),
  ...EVENT_TYPES.map((type) => [type, [type]] as const),
]);

/** The names of all types and groups. */
export const EVENT_NAMES: readonly string[] = [...NAMED.keys()];

/** The types that the name of a type or of a group stands for; null for a name that is neither. */
export function typesNamed(name: string): readonly EventType[] | null {
  return NAMED.get(name) ?? null;
}
