import type { Reason } from '../knowledge/reasons.ts';
import { oneLine } from '../model/text.ts';
import type { Facts } from './facts.ts';
import { listed } from './match/word-match.ts';
import type { RuleText } from './schema.ts';

/** Enough to find it in the line. */
const LONGEST = 120;

/** True if a rule is about code that could not be understood, so that the reason should quote it. */
export function isAboutUnknown({ coverage, effects }: RuleText): boolean {
  return coverage !== undefined || listed(effects)?.includes('run unknown') === true;
}

/** The rule's reason, plus a sentence with the part of the line that was not understood. */
export function saidOfUnknown(rule: RuleText, facts: Facts): Reason | undefined {
  const said = rule.deny ?? rule.ask;
  const all = facts.analysis()?.why ?? [];
  const named = rule.coverage === undefined ? all.find((one) => one.startsWith('the command name')) : all[0];
  if (said === undefined || named === undefined) return undefined;
  const what = oneLine(named.replace(/^\w+: /, ''), LONGEST).replace(/\.$/, '');
  return { why: `${said} Not understood: ${what}.`, ...(rule.next !== undefined && { next: rule.next }) };
}
