import { once } from '../platform/bounded.ts';
import { InterruptedError, interruptAfterWork } from '../platform/interrupt.ts';
import type { Facts } from './facts.ts';
import { createStepBudget, TooLongError } from './match/steps.ts';
import type { Rule } from './rule.ts';

/** How much work the rules may cause for one event. Rules that people write stay a thousand times below. */
export interface TimeLimits {
  /** For all rules of the project together, because it may be freshly cloned. */
  readonly projectSteps: number;
  /** For each rule with an expression or a regular expression, which have no steps to count. */
  readonly expressionMs: number;
}

const LIMITS: TimeLimits = { projectSteps: 5_000_000, expressionMs: 100 };

/** Whether rules match one event. Throws TooLongError for one that takes longer than it may. */
export function createTimedMatcher(limits: TimeLimits = LIMITS): (rule: Rule, facts: Facts) => boolean {
  // Most events meet no rule of a project.
  const budget = once(() => createStepBudget(limits.projectSteps));
  return (rule, facts) => {
    // Those that come with Hookline are written to be quick.
    if (rule.layer === 'pack') return rule.test(facts);
    const test = rule.expressive ? () => timed(limits.expressionMs, rule, facts) : () => rule.test(facts);
    return rule.layer === 'project' ? budget()(test) : test();
  };
}

function timed(ms: number, rule: Rule, facts: Facts): boolean {
  // What other rules need as well is not to be interrupted.
  facts.analysis();
  try {
    return interruptAfterWork(ms, () => rule.test(facts));
  } catch (error) {
    if (error instanceof InterruptedError)
      throw new TooLongError(`its expression takes longer than ${ms} ms on this call`);
    throw error;
  }
}
