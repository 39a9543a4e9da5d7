import type { HookEvent } from '../model/events.ts';
import { isToolEvent } from '../model/events.ts';
import type { Opinion } from '../model/recording.ts';
import type { HookResponse } from '../model/responses.ts';
import { beginningOf } from '../model/text.ts';
import type { Facts } from './facts.ts';
import type { Rule } from './rule.ts';

/** A model still acts on a reason of this length. */
export const LONGEST_REASON = 400;
const DEFAULT_NEXT = "Don't work around this. Tell the user what you need and why.";

type Words = Pick<HookResponse, 'reason' | 'explanation'>;

/**
 * The agent gets the reason, the next step and the rule, in this order, because some agents show the model only the
 * beginning. A person sees only the reason, because the call and the rule are shown next to it.
 */
export function reasonFor(rule: Rule, event: HookEvent): Words {
  const { decision, reason } = rule.response;
  if (reason === undefined) return {};
  if (decision === 'none') return { reason };
  const why = /[.!?]$/.test(reason.trim()) ? reason.trim() : `${reason.trim()}.`;
  if (decision === 'allow') return { reason: `${why} (Hookline rule ${rule.id})` };
  const next = rule.next ?? (isToolEvent(event) ? DEFAULT_NEXT : null);
  const by =
    decision === 'deny' ? `Denied by Hookline rule ${rule.id}` : `Hookline rule ${rule.id} requires approval`;
  return { reason: `${next === null ? why : `${why} ${next}`} (${by})`, explanation: why };
}

/** The rule with its reason for this call. The decision does not depend on the reason. */
export function inWordsFor(rule: Rule, facts: Facts): Rule {
  if (rule.reasonOn === null) return rule;
  try {
    const reason = rule.reasonOn(facts);
    if (reason === undefined) return rule;
    return { ...rule, response: { ...rule.response, reason: reason.why }, next: reason.next ?? null };
  } catch {
    return rule;
  }
}

/**
 * The first of several blocking rules gives the reason, and the others are named. A model that gets five reasons acts
 * on the last.
 */
export function mergeReasons(opinions: readonly Opinion[]): readonly Opinion[] {
  if (opinions.length < 2) return opinions;
  const decision = (['deny', 'ask'] as const).find((one) =>
    opinions.some((opinion) => hasReason(opinion, one)),
  );
  const spoken = decision ? opinions.filter((opinion) => hasReason(opinion, decision)) : [];
  const [first, ...others] = spoken;
  if (first === undefined || others.length === 0) return opinions;
  const tail = ` Also: ${others.map(({ by }) => by).join(', ')}.`;
  return opinions.map((opinion) => {
    if (!spoken.includes(opinion)) return opinion;
    const { reason = '', ...response } = opinion.response;
    if (opinion !== first) return { ...opinion, response };
    const room = Math.max(LONGEST_REASON - reason.length, 0);
    return { ...opinion, response: { ...response, reason: `${reason}${cut(tail, room)}` } };
  });
}

const cut = (tail: string, room: number): string =>
  tail.length <= room ? tail : room < ' Also: …'.length ? '' : `${beginningOf(tail, room - 1)}…`;

function hasReason({ kind, observing, response }: Opinion, decision: 'deny' | 'ask'): boolean {
  return kind === 'rule' && !observing && response.decision === decision && response.reason !== undefined;
}
