import type { Reason } from '../knowledge/reasons.ts';
import { oneLine } from '../model/text.ts';
import type { Facts } from './facts.ts';
import { listed } from './match/word-match.ts';
import type { RuleText } from './schema.ts';

/** Enough to find it in the line. */
const LONGEST = 120;

/** Whether a rule is about what could not be understood, so that it should say what that was. */
export function isAboutUnknown({ coverage, effects }: RuleText): boolean {
  return coverage !== undefined || listed(effects)?.includes('run unknown') === true;
}

/** What the rule says, and in a sentence behind it what of the line was not understood. */
export function saidOfUnknown(rule: RuleText, facts: Facts): Reason | undefined {
  const said = rule.deny ?? rule.ask;
  const all = facts.analysis()?.why ?? [];
  const named = rule.coverage === undefined ? all.find((one) => one.startsWith('the command name')) : all[0];
  if (said === undefined || named === undefined) return undefined;
  const what = oneLine(named.replace(/^\w+: /, ''), LONGEST).replace(/\.$/, '');
  return { why: `${said} Not understood: ${what}.`, ...(rule.next !== undefined && { next: rule.next }) };
}
