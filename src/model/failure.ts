import type { EventType } from './events.ts';
import { ask, deny, type HookResponse, none } from './responses.ts';

/** What the user wants a failure to mean. */
export type FailureMode = 'open' | 'closed';

/**
 * Events where something is about to happen that a guard may forbid. Failing closed on the others would not protect
 * anything: a refused turn end, for one, only keeps the agent running.
 */
const GUARDED: ReadonlySet<EventType> = new Set([
  'before_tool',
  'permission_request',
  'before_agent',
  'user_prompt_expansion',
]);

/** Is something about to happen that a guard may forbid? */
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

/** What a guarded call becomes that a hook could not be asked about: how many calls there are is the agent's choice. */
export function denyUnchecked(type: EventType, what: string): HookResponse {
  if (!isGuarded(type)) return none();
  return deny(`Denied: Hookline can't check this call (${what}). Retry with fewer parallel calls.`);
}

/** What a guarded call becomes whose guard is gone: one that is known to deny must not be silent, whatever failures mean. */
export function responseToLostGuard(type: EventType, mode: FailureMode, what: string): HookResponse {
  if (!isGuarded(type)) return none();
  const reason = `Hookline can't check this call (${what}), and this hook has denied calls before. Fix the hook, or delete its file.`;
  return mode === 'closed' ? deny(reason) : ask(reason);
}

/** What a failure becomes: no decision, or a denial where the user chose to fail closed. Never an allow. */
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
