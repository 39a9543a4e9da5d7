import type { ToolCall, ToolResult } from './tools.ts';

/** What every event has, whichever agent it came from. */
export interface EventBase {
  /** Ours; the same call never gets two. */
  readonly id: string;
  /** Id of the agent, as in `ls src/agents`. */
  readonly source: string;
  /** The agent's own name of the event: opaque outside that agent's folder. */
  readonly nativeEvent: string;
  readonly sessionId: string;
  /** When it happened, in ms since the epoch: by the client's clock where it gives a time, else `receivedAt`. */
  readonly timestamp: number;
  /** When it reached us. */
  readonly receivedAt: number;
  readonly cwd: string | null;
  readonly machineId: string | null;
  readonly userId: string | null;
  readonly projectId: string | null;
  /** The folder of the project, where the payload calls the project by another name. */
  readonly projectFolder?: string | null;
  readonly workflowId: string | null;
  readonly transcriptPath: string | null;
  readonly permissionMode: string | null;
  /** Set inside a subagent only. */
  readonly agentId: string | null;
  /** Position in the session, counted by us from 1; 0 until the store has placed the event. */
  readonly sequence: number;
  readonly promptNumber: number;
  readonly toolNumber: number;
  /** The payload as it came. */
  readonly native: unknown;
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
  session_start: { readonly trigger: string; readonly model: string | null; readonly title: string | null };
  session_end: { readonly reason: string };
  setup: { readonly trigger: string };
  before_agent: { readonly prompt: string; readonly title: string | null };
  user_prompt_expansion: {
    readonly prompt: string;
    readonly commandName: string;
    readonly commandArgs: string;
    readonly expansion: string;
  };
  after_agent: Turn & { readonly prompt: string | null };
  stop: Turn;
  stop_failure: {
    readonly error: string;
    readonly details: string | null;
    readonly lastAssistantMessage: string | null;
  };
  interrupt: { readonly reason: string | null };
  before_tool: { readonly tool: ToolCall };
  after_tool: { readonly tool: ToolResult };
  post_tool_batch: { readonly calls: readonly ToolResult[] };
  before_tool_selection: { readonly request: unknown };
  before_model: { readonly request: unknown };
  after_model: { readonly request: unknown; readonly response: unknown };
  permission_request: { readonly tool: ToolCall; readonly suggestions: readonly PermissionSuggestion[] };
  permission_denied: { readonly tool: ToolCall; readonly reason: string };
  pre_compact: { readonly trigger: string; readonly instructions: string | null };
  post_compact: { readonly trigger: string; readonly summary: string | null };
  pre_model_switch: Model;
  post_model_switch: Model;
  subagent_start: { readonly subagentId: string | null; readonly subagentType: string };
  subagent_stop: Turn & {
    readonly subagentId: string | null;
    readonly subagentType: string;
    readonly subagentTranscriptPath: string | null;
  };
  teammate_idle: { readonly teammate: string; readonly team: string | null };
  task_created: TaskFields;
  task_completed: TaskFields;
  notification: {
    readonly message: string;
    readonly title: string | null;
    readonly kind: string;
    /** What else the agent says of it, where it does, in a shape of its own. */
    readonly details?: Readonly<Record<string, unknown>>;
  };
  elicitation: {
    readonly server: string;
    readonly message: string;
    readonly mode: string;
    readonly schema: unknown;
  };
  elicitation_result: { readonly server: string; readonly action: string; readonly content: unknown };
  config_change: { readonly scope: string; readonly path: string | null };
  instructions_loaded: { readonly path: string; readonly scope: string; readonly reason: string };
  cwd_changed: { readonly from: string; readonly to: string };
  file_changed: { readonly path: string; readonly change: string };
  directory_added: { readonly path: string; readonly trigger: string };
  worktree_create: { readonly name: string };
  worktree_remove: { readonly path: string };
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

/** The types that the name of a type or of a group stands for; null for a name that is neither. */
export function typesNamed(name: string): readonly EventType[] | null {
  return NAMED.get(name) ?? null;
}
