import type { HookEvent } from './events.ts';
import type { NativeAnswer } from './native.ts';
import type { Degradation, HookResponse } from './responses.ts';

/** What one handler said about one event, kept so that `hookline why` can tell. */
export interface Opinion {
  readonly kind: 'rule' | 'hook' | 'approval' | 'failure';
  /** Id of the rule or name of the hook. */
  readonly by: string;
  /** Where it is written: a file, with a line where there is one. */
  readonly where: string | null;
  readonly response: HookResponse;
  /** It would have said so, but it is only observing: not part of the answer. */
  readonly observing?: boolean;
  /** It still refuses to let the turn end, but has done so as often as it may: not part of the answer. */
  readonly spent?: true;
  /** What went wrong, in words, where something did. */
  readonly problem?: string;
  /** How long it took, where that is worth knowing. */
  readonly tookMs?: number;
}

/** Context that an event could not carry, waiting for the session's next event that can. */
export interface WaitingContext {
  readonly id: number;
  readonly text: string;
}

/** Everything about one call that is worth keeping; committed before the answer leaves. */
export interface CallRecord {
  readonly event: HookEvent;
  readonly response: HookResponse;
  readonly opinions: readonly Opinion[];
  readonly degraded: readonly Degradation[];
  readonly answer: NativeAnswer;
  readonly latencyMs: number;
  /** Waiting contexts that this answer carries, to be forgotten in the same transaction. */
  readonly delivered: readonly number[];
  /** Context that has to wait, to be kept in the same transaction. */
  readonly deferred: string | null;
}

/** Where calls are kept. The store is one; a spool is another. */
export interface Recorder extends CallRecorder {
  /** Durable when it returns. */
  commit(record: CallRecord): boolean;
}

/** What the engine records with: it waits for calls that are written together. */
export interface CallRecorder {
  /** The event with its place in the session: sequence, prompt and tool number. */
  place(event: HookEvent): HookEvent;
  waitingContext(source: string, sessionId: string): readonly WaitingContext[];
  /** Durable when it resolves. False when it is stored already, or ends a session that has just ended. */
  commit(record: CallRecord): boolean | Promise<boolean>;
}
