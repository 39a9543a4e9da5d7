import type { FileOperation, ToolOutcome } from '../../model/tools.ts';

/** A text that may have been cut; `hash` tells the whole one, where it was. */
export interface Excerpt {
  readonly text: string;
  /** Characters of the whole. */
  readonly length: number;
  /** SHA-256 of the whole; null when nothing is missing. */
  readonly hash: string | null;
}

export type Purpose = 'test' | 'build' | 'other';

interface Fields {
  /** What a person wanted. */
  intent: { readonly prompt: Excerpt; readonly command: string | null };
  file: {
    readonly op: FileOperation['op'];
    readonly change: 'none' | 'create' | 'modify' | 'delete' | 'move';
    readonly path: string;
    readonly to: string | null;
    readonly before: Excerpt | null;
    readonly after: Excerpt | null;
    readonly outcome: ToolOutcome;
  };
  command: {
    readonly command: Excerpt;
    readonly description: string | null;
    readonly purpose: Purpose;
    readonly exitCode: number | null;
    /** Of a test run whose exit code is hidden: failed where its output says so, else unknown; never ok. */
    readonly outcome: ToolOutcome;
    /** It ran tests, and its exit code is not theirs, as in `npm test | tail`. */
    readonly exitCodeHidden: boolean;
    readonly durationMs: number | null;
    /** The end of what it printed, when it failed or ran tests. */
    readonly output: string | null;
    /** Tests that its output names as failed. */
    readonly failing: readonly string[];
  };
  search: {
    readonly tool: string;
    readonly pattern: string;
    readonly scope: string | null;
    readonly results: number | null;
    readonly outcome: ToolOutcome;
  };
  web: { readonly tool: string; readonly target: string; readonly outcome: ToolOutcome };
  mcp: {
    readonly server: string;
    readonly tool: string;
    readonly input: Excerpt;
    readonly outcome: ToolOutcome;
  };
  /** A tool that is none of the above. */
  tool: { readonly tool: string; readonly input: Excerpt; readonly outcome: ToolOutcome };
  session: {
    readonly boundary: 'start' | 'end';
    /** What began or ended it, in the agent's word. */
    readonly trigger: string;
    readonly fresh: boolean;
    readonly compaction: boolean;
  };
  /** What the agent said before it made calls. */
  message: {
    readonly message: Excerpt;
    /** Numbers of those calls in the session, the first of them that of the observation. */
    readonly calls: readonly number[];
  };
  turn_end: {
    readonly message: Excerpt | null;
    /** The turn goes on only because an earlier answer refused to let it end. */
    readonly continuation: boolean;
  };
  error: { readonly where: string; readonly message: string };
  subagent: {
    readonly boundary: 'start' | 'stop';
    readonly id: string | null;
    readonly type: string;
    /** The subagent that started it; null for the main agent. */
    readonly parent: string | null;
    readonly message: Excerpt | null;
  };
  task: {
    readonly change: 'created' | 'updated' | 'completed';
    readonly id: string | null;
    readonly subject: string;
    readonly status: string;
  };
  plan: { readonly plan: Excerpt };
  question: { readonly question: string; readonly answer: string | null };
  compaction: {
    readonly phase: 'before' | 'after';
    readonly trigger: string;
    readonly summary: Excerpt | null;
  };
  teammate: { readonly name: string; readonly team: string | null; readonly change: 'idle' };
  notification: { readonly topic: string; readonly title: string | null; readonly message: string };
  permission: {
    readonly tool: string;
    readonly subject: string;
    readonly decision: 'requested' | 'allow' | 'deny' | 'ask' | 'denied';
    /** Who decided: rules, hooks, people; empty for the agent itself. */
    readonly by: readonly string[];
    readonly reason: string | null;
  };
  interrupt: { readonly reason: string | null };
  /** What a person or an agent wanted remembered. */
  note: { readonly text: Excerpt; readonly by: string };
}

export type ObservationKind = keyof Fields;
export type ObservationOf<K extends ObservationKind> = { [T in K]: { readonly kind: T } & Fields[T] }[K];
/** One thing that happened, described the same way for every agent. */
export type Observation = ObservationOf<ObservationKind>;

export const OBSERVATION_KINDS: readonly ObservationKind[] = [
  'session',
  'intent',
  'plan',
  'task',
  'file',
  'command',
  'search',
  'web',
  'mcp',
  'tool',
  'question',
  'subagent',
  'teammate',
  'permission',
  'error',
  'interrupt',
  'compaction',
  'notification',
  'message',
  'turn_end',
  'note',
];
