import type { HookEvent } from '../../model/events.ts';
import type { Snapshot } from '../../platform/last-good.ts';
import type { HookSession } from '../define.ts';

/** Start data of a worker. */
export interface WorkerStart {
  /** The hook's file. */
  readonly file: string;
  /** The file that `hookline` resolves to in an import. */
  readonly api: string;
  /** Imports must stay within this directory; null for no limit. */
  readonly within: string | null;
  /** Sources that replace those on disk, by path. */
  readonly instead: Snapshot;
}

/** A file's declaration of one hook, not yet validated. */
export interface Declared {
  readonly name: unknown;
  readonly on: unknown;
  readonly tool: unknown;
  readonly agent: unknown;
  readonly timeoutMs: unknown;
}

export interface RunMessage {
  readonly type: 'run';
  /** Index of the hook in the file. */
  readonly hook: number;
  readonly event: HookEvent;
  readonly session: HookSession;
}

export type ToWorker = RunMessage | { readonly type: 'abort' };

export type FromWorker =
  | { readonly type: 'loaded'; readonly hooks: readonly Declared[] }
  | { readonly type: 'broken'; readonly message: string }
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'answer'; readonly response: unknown; readonly state: unknown }
  | { readonly type: 'threw'; readonly message: string };
