import { createHash } from 'node:crypto';
import { canonicalJson } from '../../approvals/canonical-json.ts';
import type { PolicyFiles, PolicySet, Target } from './document.ts';

/** The properties of a machine that determine its rules. */
export interface PolicyMachine {
  readonly id: string;
  readonly groups: readonly string[];
}

/** Files for a machine, and whether they are enforced. */
interface ChosenFiles {
  readonly target: Target;
  readonly files: PolicyFiles;
  readonly observe: boolean;
}

/** A machine's files. If the set hasn't reached it, or is in observe mode, the previous files decide. */
export function filesFor(sets: readonly PolicySet[], machine: PolicyMachine): readonly ChosenFiles[] {
  return sets
    .filter(
      ({ target }) => target.groups.length === 0 || target.groups.some((one) => machine.groups.includes(one)),
    )
    .flatMap(({ target, files, percent, observe, before }) => {
      const isReached = percentOf(machine.id) < percent;
      const earlier =
        before === null || (isReached && !observe) ? [] : [{ target, files: before, observe: false }];
      return isReached ? [...earlier, { target, files, observe }] : earlier;
    });
}

/**
 * A machine's fixed rank, from 0 to below 100. The same for every version, so that an included machine stays
 * included.
 */
export function percentOf(machine: string): number {
  const hash = createHash('sha256').update(`hookline rollout\n${machine}`).digest();
  return (hash.readUInt32BE() / 2 ** 32) * 100;
}

export function isSameTarget(one: Target, other: Target): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
