import type { HookEvent } from './events.ts';
import type { NativeAnswer } from './native.ts';
import type { Degradation, HookResponse } from './responses.ts';

/** A handler's opinion on one event, stored for `hookline why`. */
export interface Opinion {
  readonly kind: 'rule' | 'hook' | 'approval' | 'failure';
  /** Id of the rule or name of the hook. */
  readonly by: string;
  /** Where it is written: a file, with a line if there is one. */
  readonly where: string | null;
  readonly response: HookResponse;
  /** True if it only observes and is not part of the answer. */
  readonly observing?: boolean;
  /** True if it denied the end of the turn more often than it may, so it is not part of the answer. */
  readonly spent?: true;
  /** Problem in words, if there was one. */
  readonly problem?: string;
  /** How long it took, if relevant. */
  readonly tookMs?: number;
}

/** Context that an event could not carry, waiting for the session's next event that can. */
export interface WaitingContext {
  readonly id: number;
  readonly text: string;
}

/** The record of one call, committed before the answer leaves. */
export interface CallRecord {
  readonly event: HookEvent;
  readonly response: HookResponse;
  readonly opinions: readonly Opinion[];
  readonly degraded: readonly Degradation[];
  readonly answer: NativeAnswer;
  readonly latencyMs: number;
  /** Waiting contexts that this answer carries, removed in the same transaction. */
  readonly delivered: readonly number[];
  /** Context that has to wait, stored in the same transaction. */
  readonly deferred: string | null;
}

/** Where calls are stored: the store, or a spool. */
export interface Recorder extends CallRecorder {
  /** Durable when it returns. */
  commit(record: CallRecord): boolean;
}

/** The engine's recorder, which waits for calls that are written together. */
export interface CallRecorder {
  /** The event with its position in the session: sequence, prompt and tool number. */
  place(event: HookEvent): HookEvent;
  waitingContext(source: string, sessionId: string): readonly WaitingContext[];
  /** Durable when it resolves. False if it is already stored, or ends a session that just ended. */
  commit(record: CallRecord): boolean | Promise<boolean>;
}
