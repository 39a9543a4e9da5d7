import type { HookResponse } from '../model/responses.ts';
import { createGuardHooks, type GuardHooks } from './guards.ts';
import type { Hook } from './hook.ts';

/** A hook's results since the daemon started. */
export interface Health {
  readonly runs: number;
  readonly failures: number;
  readonly lastProblem: string | null;
  /** In ms since the epoch; null if it isn't paused. */
  readonly pausedUntil: number | null;
}

interface Record {
  runs: number;
  failures: number;
  inARow: number;
  lastProblem: string | null;
  pausedUntil: number | null;
}

const FAILURES_TO_PAUSE = 5;
const PAUSE_MS = 10 * 60_000;

/**
 * Tracks the results of hooks. One that fails repeatedly is paused, so that it doesn't slow down every call. A hook
 * that ever returned deny or ask is never paused, because making it fail would bypass it.
 */
export interface HookHealth {
  /** True if it is paused now. */
  isPaused(hook: Hook): boolean;
  /** True if it ever returned deny or ask. */
  isGuard(hook: Hook): boolean;
  succeeded(hook: Hook, response: HookResponse): void;
  /** A notice for the user if this failure pauses the hook, or would. */
  failed(hook: Hook, problem: string): string | null;
  of(hook: Hook): Health;
  /** Its file changed, so it gets another chance. */
  forget(name: string): void;
}

export function createHookHealth(
  now: () => number = Date.now,
  guards: GuardHooks = createGuardHooks(),
): HookHealth {
  const records = new Map<string, Record>();
  function recordOf({ name }: Pick<Hook, 'name'>): Record {
    let record = records.get(name);
    if (!record) {
      record = { runs: 0, failures: 0, inARow: 0, lastProblem: null, pausedUntil: null };
      records.set(name, record);
    }
    return record;
  }
  return {
    isPaused(hook) {
      const record = recordOf(hook);
      if (record.pausedUntil === null) return false;
      if (now() < record.pausedUntil) return true;
      record.pausedUntil = null;
      // One more failure pauses it again.
      record.inARow = FAILURES_TO_PAUSE - 1;
      return false;
    },
    isGuard: ({ name }) => guards.has(name),
    succeeded(hook, { decision, halt }) {
      if (decision === 'deny' || decision === 'ask' || halt !== undefined) guards.add(hook.name);
      const record = recordOf(hook);
      record.runs += 1;
      record.inARow = 0;
    },
    failed(hook, problem) {
      const record = recordOf(hook);
      record.runs += 1;
      record.failures += 1;
      record.inARow += 1;
      record.lastProblem = problem;
      if (record.inARow < FAILURES_TO_PAUSE || record.pausedUntil !== null) return null;
      const isGuard = guards.has(hook.name);
      if (!isGuard) record.pausedUntil = now() + PAUSE_MS;
      return isGuard && record.inARow > FAILURES_TO_PAUSE ? null : noticeOf(hook, problem, isGuard);
    },
    of(hook) {
      const { runs, failures, lastProblem, pausedUntil } = recordOf(hook);
      return { runs, failures, lastProblem, pausedUntil };
    },
    forget: (name) => void records.delete(name),
  };
}

function noticeOf({ name, where }: Hook, problem: string, isGuard: boolean): string {
  const failed = `Hookline: the hook ${name} failed ${FAILURES_TO_PAUSE} times in a row (${problem})`;
  return isGuard
    ? `${failed}. It still runs, because it has denied calls before. Fix ${where}.`
    : `${failed} and is paused for ${PAUSE_MS / 60_000} minutes, or until ${where} changes.`;
}
