import type { HookEvent } from '../../model/events.ts';
import type { Snapshot } from '../../platform/last-good.ts';
import type { HookSession } from '../define.ts';

/** What a worker is started with. */
export interface WorkerStart {
  /** Of the hook. */
  readonly file: string;
  /** Of the API that `hookline` stands for in an import. */
  readonly api: string;
  /** Imports may not lead out of this folder; null where they may lead anywhere. */
  readonly within: string | null;
  /** Sources that count instead of what is on the disk, by path. */
  readonly instead: Snapshot;
}

/** What a file says about one of its hooks; still to be checked. */
export interface Declared {
  readonly name: unknown;
  readonly on: unknown;
  readonly tool: unknown;
  readonly agent: unknown;
  readonly timeoutMs: unknown;
}

export interface RunMessage {
  readonly type: 'run';
  /** Which of the file's hooks. */
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
