import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../platform/bounded.ts';

/**
 * What happens to a permission request that no rule decides: the agent decides (and denies if unattended), it is
 * denied at once, or it waits for a person.
 */
export const ON_PERMISSION = ['rules', 'deny', 'ask'] as const;
/** The same for a question to the user. */
export const ON_QUESTION = ['deny', 'ask'] as const;

/** How an unattended run treats requests that need a person. None of this allows anything. */
export interface RunPolicy {
  readonly onPermission: (typeof ON_PERMISSION)[number];
  readonly onQuestion: (typeof ON_QUESTION)[number];
}

/** The runs of `hookline exec`. Agents have only the IDs in their environment, so they can't choose the policy. */
export interface Runs {
  /**
   * The ID of a new run.
   * @param within the surrounding run, whose limits also apply
   */
  start(policy: RunPolicy, within: string | null): string;
  policyOf(run: string | null): RunPolicy | null;
}

const REMEMBERED_RUNS = 500;
const MOST_LEVELS = 10;

export function createRuns(): Runs {
  const policies = new BoundedMap<string, RunPolicy>(REMEMBERED_RUNS);
  return {
    start(policy, within) {
      const outer = within === null ? undefined : policies.get(within);
      const isInside = outer !== undefined && within !== null && within.split('/').length < MOST_LEVELS;
      const own = randomBytes(8).toString('hex');
      const id = isInside ? `${within}/${own}` : own;
      policies.set(id, outer === undefined ? policy : stricter(policy, outer));
      return id;
    },
    policyOf: (run) => (run === null ? null : (policies.get(run) ?? null)),
  };
}

/** Strictest policy first. */
const STRICTEST_FIRST = ['deny', 'rules', 'ask'] as const;

function stricter(one: RunPolicy, other: RunPolicy): RunPolicy {
  return {
    onPermission:
      STRICTEST_FIRST.find((each) => each === one.onPermission || each === other.onPermission) ?? 'deny',
    onQuestion: one.onQuestion === 'deny' || other.onQuestion === 'deny' ? 'deny' : 'ask',
  };
}
