import { problem, warning } from '../../agents/setup/findings.ts';
import type { FileProblem } from '../../platform/last-good.ts';
import type { RuleFinding } from '../../rules/review/remarks.ts';
import type { Diagnosis } from './check.ts';

/** Problems in rule or hook files. The last good version still applies, but not the file as it is now. */
export function fileFindings(kind: 'rule' | 'hook', problems: readonly FileProblem[]): readonly Diagnosis[] {
  return problems.map(({ where, message, lastGood }) => ({
    ...problem(`${kind}-${lastGood ? 'last-good' : 'invalid'}`, `${where}: ${message}`, 'Fix the file.'),
    why: lastGood
      ? 'Your latest changes are not active.'
      : `No last good version exists, so this ${kind} is not enforced.`,
  }));
}

/** Likely mistakes in valid rules. */
export function remarkFindings(remarks: readonly RuleFinding[]): readonly Diagnosis[] {
  return remarks.map(({ where, message, never }) => {
    const text = `${where}: ${message}`;
    if (!never) return warning('rule-doubtful', text, 'Fix it, unless it is intended.');
    return {
      ...problem('rule-never-matches', text, 'Fix the rule.'),
      why: 'The rule can never match, so it is not enforced.',
    };
  });
}
