import { reasonFor, reasonForAct } from '../../knowledge/load.ts';
import type { Reason } from '../../knowledge/reasons.ts';
import type { Item } from '../exceptions.ts';
import type { RuleText } from '../schema.ts';
import type { DeedKeys } from './pattern.ts';

/** In the place of a sentence: the one that is known for what is done. */
const BY_REASON = 'by-reason';

export interface Worded {
  /** With the sentences for its deeds: those of the act where they differ. */
  readonly text: RuleText;
  /** Whether what a call does decides which they are. */
  readonly differ: boolean;
}

/** The rule with the sentences for its deeds, or why there are none. */
export function withReason(text: RuleText, deeds: DeedKeys | null): Worded | { readonly problem: string } {
  if (text.deny !== BY_REASON && text.ask !== BY_REASON) return { text, differ: false };
  if (deeds === null) return { problem: `uses ${BY_REASON} without act or object` };
  const reasons = new Set(deeds.names.map((name) => reasonFor(name)));
  const [first] = deeds.names;
  const differ = reasons.size > 1;
  const said = differ && first ? reasonForAct(first) : [...reasons][0];
  if (said === undefined || reasons.has(undefined))
    return { problem: `uses ${BY_REASON}, but knowledge/reasons.yaml has no reason for one of its acts` };
  const { why, next } = said;
  const words = text.deny === undefined ? { ask: why } : { deny: why };
  return { text: { ...text, ...words, ...(next === undefined ? {} : { next }) }, differ };
}

/** What is said of the first thing that a rule has found and that nothing excuses. */
export function reasonOf(item: Item | undefined): Reason | undefined {
  const [deed] = item?.deeds ?? [];
  if (item === undefined || deed === undefined) return undefined;
  const [kind, system] = item.effects.length === 1 ? (item.effects[0]?.tags ?? []) : [];
  return reasonFor(deed, kind === 'resource' ? (system ?? null) : null);
}
