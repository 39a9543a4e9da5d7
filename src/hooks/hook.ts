import type { HookEvent } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';
import type { FileProblem } from '../platform/last-good.ts';

export type HookKind = 'code' | 'command' | 'http' | 'prompt';

/** What a run of a hook is given besides the event. */
export interface Ask {
  /** How long it may take, from when it starts. */
  readonly budgetMs: number;
  /** How long the agent waits in all, from now: for its turn, where hooks take turns, and for its answer. */
  readonly leftMs: number;
  /** Announces to the waiting caller that it takes this long, from now. */
  hold(ms: number): void;
  log(text: string): void;
}

/** A hook that could not be asked through no fault of its own: too many calls want it at once. */
export class NotAskedError extends Error {}

/** One hook, ready to be asked, whatever it is made of. */
export interface Hook {
  readonly name: string;
  readonly kind: HookKind;
  /** The file that it is written in, with a line where there is one. */
  readonly where: string;
  readonly timeoutMs: number;
  /** What its failure means; null leaves it to the settings of the home. */
  readonly failure: 'open' | 'closed' | null;
  /** Runs without delaying the call, and its response is ignored. */
  readonly background: boolean;
  /** Why it cannot run at all; null when it can. */
  readonly problem: string | null;
  concerns(event: HookEvent): boolean;
  /** Rejects with a message for the user when it fails. */
  run(event: HookEvent, ask: Ask): Promise<HookResponse>;
}

/** Something in a hook file that cannot be used, and where. */
export type HookProblem = FileProblem;

/** Stands for unreadable hooks. What they guarded is unknown, so it fails before every tool. */
export function unreadable(name: string, kind: Hook['kind'], where: string, message: string): Hook {
  return {
    name,
    kind,
    where,
    timeoutMs: 1_000,
    failure: null,
    background: false,
    problem: message,
    concerns: (event) => event.type === 'before_tool',
    run: () => Promise.reject(new Error(`it cannot be loaded: ${message}`)),
  };
}
