import type { EventType } from '../model/events.ts';
import { deny, type HookResponse, none } from '../model/responses.ts';

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

/** What a failure becomes: no opinion, or a denial where the user chose to fail closed. Never an allow. */
export function responseToFailure(type: EventType, mode: FailureMode, what: string): HookResponse {
  if (mode === 'open' || !(GUARDED.has(type) || type === 'unknown')) return none();
  return deny(
    `Hookline could not judge this (${what}) and is set to fail closed. Run \`hookline doctor\` to see why.`,
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
