import type { HookEvent } from './events.ts';
import type { Opinion } from './recording.ts';
import type { HookResponse } from './responses.ts';
import type { Question, QuestionAnswers } from './tools.ts';

/** Something that has opinions: rules, hooks, approvers. */
export interface Handler {
  readonly name: string;
  /** How long it may take; a handler that answers at once has no need of a budget. */
  readonly budgetMs: number | null;
  /** Asked once more about what the rewrites made of a call, so that what runs is what was judged. */
  readonly guards: boolean;
  /** Sees the event as the handlers before it left it. */
  decide(event: HookEvent, asking?: Asking): readonly Opinion[] | Promise<readonly Opinion[]>;
}

/** How an agent can be made to wait. */
export interface Asking {
  /** How long this agent waits for an answer to this event, at most. */
  readonly timeoutMs: number;
  /** Announces that the answer takes this long. */
  hold(ms: number): void;
  /** Tells the same of a daemon that can say nothing more for so long, where there is a way. */
  busy?(ms: number): void;
  /** Signals that the caller hung up, if that is visible. */
  readonly gone?: () => AbortSignal;
  /** What the call asks a person, where it is a question. */
  readonly questions: readonly Question[];
  /** The arguments that answer them. */
  answered(answers: QuestionAnswers): Readonly<Record<string, unknown>>;
}

/** Without a caller that waits, and without a question. */
export const NOT_ASKING: Asking = { timeoutMs: 0, hold: () => {}, questions: [], answered: () => ({}) };

/** The approver: asked last, about what the handlers left open. */
export interface Approver {
  /** A person's answer; null if none was asked. */
  approve(
    event: HookEvent,
    response: HookResponse,
    opinions: readonly Opinion[],
    asking: Asking,
  ): Opinion | null | Promise<Opinion | null>;
  /** Called for every event: an agent that goes on no longer waits. */
  noticed(event: HookEvent): void;
}
