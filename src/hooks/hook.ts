import type { HookEvent } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';
import type { FileProblem } from '../platform/last-good.ts';

export type HookKind = 'code' | 'command' | 'http' | 'prompt';

/** Parameters of a hook run besides the event. */
export interface Ask {
  /** Time limit, counted from its start. */
  readonly budgetMs: number;
  /** How long the agent waits in total, from now: for the hook's turn and its answer. */
  readonly leftMs: number;
  /** Tells the waiting caller that it takes this long, from now. */
  hold(ms: number): void;
  log(text: string): void;
}

/** A hook that couldn't be asked for reasons outside of it: too many calls need it at once. */
export class NotAskedError extends Error {}

/** A hook that can be asked, of any kind. */
export interface Hook {
  readonly name: string;
  readonly kind: HookKind;
  /** Its file, with a line if known. */
  readonly where: string;
  readonly timeoutMs: number;
  /** The effect of a failure; null uses the home's settings. */
  readonly failure: 'open' | 'closed' | null;
  /** Runs without delaying the call; its response is ignored. */
  readonly background: boolean;
  /** Why it can't run at all; null if it can. */
  readonly problem: string | null;
  concerns(event: HookEvent): boolean;
  /** Rejects with a message for the user. */
  run(event: HookEvent, ask: Ask): Promise<HookResponse>;
}

/** An unusable part of a hook file, and where it is. */
export type HookProblem = FileProblem;

/** Replaces unreadable hooks. What they guarded is unknown, so it fails before every tool. */
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
