import type { EventType } from './events.ts';
import { ask, deny, type HookResponse, none } from './responses.ts';

/** What a failure means: the user's choice. */
export type FailureMode = 'open' | 'closed';

/**
 * Events where a guard may prevent something. Failing closed on others would protect nothing: denying the end of a turn
 * only keeps the agent running.
 */
const GUARDED: ReadonlySet<EventType> = new Set([
  'before_tool',
  'permission_request',
  'before_agent',
  'user_prompt_expansion',
]);

/** True if a guard may prevent what is about to happen. */
export function isGuarded(type: EventType): boolean {
  return GUARDED.has(type);
}

/**
 * Denies a call that is too large or too deep to parse, in either failure mode: the agent controls the payload, and no
 * rule has seen all of it.
 */
export function responseToUnread(what: string): HookResponse {
  return deny(
    `Denied: Hookline can't check this call (${what}). Make it smaller or less nested, and try again.`,
  );
}

/** Denies a guarded call when a hook could not be called: the agent controls the number of calls. */
export function denyUnchecked(type: EventType, what: string): HookResponse {
  if (!isGuarded(type)) return none();
  return deny(`Denied: Hookline can't check this call (${what}). Retry with fewer parallel calls.`);
}

/**
 * Denies a guarded call whose guard is missing: a guard known to deny must not become silent, in either failure mode.
 */
export function responseToLostGuard(type: EventType, mode: FailureMode, what: string): HookResponse {
  if (!isGuarded(type)) return none();
  const reason = `Hookline can't check this call (${what}), and this hook has denied calls before. Fix the hook, or delete its file.`;
  return mode === 'closed' ? deny(reason) : ask(reason);
}

/** The response to a failure: no decision, or a denial if failures are closed. Never an allow. */
export function responseToFailure(type: EventType, mode: FailureMode, what: string): HookResponse {
  if (mode === 'open' || !(isGuarded(type) || type === 'unknown')) return none();
  return deny(
    `Denied: Hookline can't check this call (${what}), and \`failure\` is \`closed\`. Run \`hookline doctor\` to see why.`,
  );
}

/** The promise's value, or a rejection when it takes longer than the budget. */
export async function within<T>(budgetMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${budgetMs} ms`)), budgetMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
