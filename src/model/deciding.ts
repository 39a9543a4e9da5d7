import type { HookEvent } from './events.ts';
import type { Opinion } from './recording.ts';
import type { HookResponse } from './responses.ts';
import type { Question, QuestionAnswers } from './tools.ts';

/** Something with opinions: rules, hooks, approvers. */
export interface Handler {
  readonly name: string;
  /** How long it may take; null for a handler that answers at once. */
  readonly budgetMs: number | null;
  /** Called again with the rewritten call, so that what runs is what was checked. */
  readonly guards: boolean;
  /** Gets the event as earlier handlers left it. */
  decide(event: HookEvent, asking?: Asking): readonly Opinion[] | Promise<readonly Opinion[]>;
}

/** How to make an agent wait. */
export interface Asking {
  /** The longest that this agent waits for an answer to this event. */
  readonly timeoutMs: number;
  /** Announces that the answer takes this long. */
  hold(ms: number): void;
  /** Announces that the daemon can't say more for this long, if there is a way. */
  busy?(ms: number): void;
  /** Signals that the caller hung up, if that is visible. */
  readonly gone?: () => AbortSignal;
  /** Questions to a person, if the call is one. */
  readonly questions: readonly Question[];
  /** The arguments that answer them. */
  answered(answers: QuestionAnswers): Readonly<Record<string, unknown>>;
}

/** For a caller that doesn't wait and asks nothing. */
export const NOT_ASKING: Asking = { timeoutMs: 0, hold: () => {}, questions: [], answered: () => ({}) };

/** The approver: asked last, about calls without a decision by the handlers. */
export interface Approver {
  /** A person's answer; null if none was asked. */
  approve(
    event: HookEvent,
    response: HookResponse,
    opinions: readonly Opinion[],
    asking: Asking,
  ): Opinion | null | Promise<Opinion | null>;
  /** Called for every event, because an agent that continues no longer waits. */
  noticed(event: HookEvent): void;
}
