import { reasonFor, reasonForAct } from '../../knowledge/load.ts';
import type { Reason } from '../../knowledge/reasons.ts';
import type { Item } from '../exceptions.ts';
import type { RuleText } from '../schema.ts';
import type { DeedKeys } from './pattern.ts';

/** Stands for the sentence that belongs to the deed. */
const BY_REASON = 'by-reason';

export interface Worded {
  /** The rule with the sentences of its deeds, or of its act if they differ. */
  readonly text: RuleText;
  /** True if the call's deed selects the sentence. */
  readonly differ: boolean;
}

/** The rule with the sentences of its deeds, or why there are none. */
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

/** The reason for the first match without an exception. */
export function reasonOf(item: Item | undefined): Reason | undefined {
  const [deed] = item?.deeds ?? [];
  if (item === undefined || deed === undefined) return undefined;
  const [kind, system] = item.effects.length === 1 ? (item.effects[0]?.tags ?? []) : [];
  return reasonFor(deed, kind === 'resource' ? (system ?? null) : null);
}
