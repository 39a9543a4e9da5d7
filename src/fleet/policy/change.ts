import { HooklineError } from '../../model/errors.ts';
import type { PolicyDocument, PolicyFiles, PolicySet, Target } from './document.ts';
import { isSameTarget } from './target.ts';

/** What a change makes of the policy before it; the version is the publisher's to give. */
type Change = Pick<PolicyDocument, 'restores' | 'sets'>;
type Sets = readonly PolicySet[];

interface Publication {
  readonly target: Target;
  readonly files: PolicyFiles;
  readonly percent: number;
  readonly observe: boolean;
}

/** New files for a target; those for others stay. */
export function published(sets: Sets, { target, files, percent, observe }: Publication): Change {
  const current = sets.find((set) => isSameTarget(set.target, target));
  const before = current ? settled(current) : null;
  return { restores: null, sets: replaced(sets, { target, files, percent, observe, before }) };
}

/** What decides on all machines of a set: no percentage, no observing. */
function settled({ files, percent, observe, before }: PolicySet): PolicyFiles | null {
  return percent === 100 && !observe ? files : before;
}

function replaced(sets: Sets, next: PolicySet): Sets {
  return [...sets.filter(({ target }) => !isSameTarget(target, next.target)), next];
}

interface Rollout {
  readonly target: Target;
  /** As it is where it is not given. */
  readonly percent?: number | undefined;
  readonly enforce?: boolean | undefined;
}

/** The same files for more machines, or deciding from now on. */
export function rolledOut(sets: Sets, { target, percent, enforce = false }: Rollout): Change {
  const current = sets.find((set) => isSameTarget(set.target, target));
  if (sets.length === 0)
    throw new HooklineError('NOT_FOUND', 'No policy has been published yet.', {
      hint: 'Run `hookline fleet publish <folder>` to publish rule files.',
    });
  if (!current)
    throw new HooklineError('NOT_FOUND', 'No policy was published for that group, repository and agent.', {
      hint: 'Run `hookline fleet policy` to see the targets. Pass the same --group, --repository and --agent as with publish.',
    });
  const observe = enforce ? false : current.observe;
  // What was before stays there: fewer percent put machines back to it.
  return {
    restores: null,
    sets: replaced(sets, { ...current, percent: percent ?? current.percent, observe }),
  };
}

/** The rules of an earlier version: the one before this, or the one that is named. `earlier`: newest first. */
export function restored(earlier: readonly PolicyDocument[], to?: number): Change {
  const [current] = earlier;
  const from = current ? (current.restores ?? current.version) : 0;
  const found = earlier.find(({ version, restores }) =>
    to === undefined ? restores === null && version < from : version === to,
  );
  if (!found)
    throw new HooklineError(
      'NOT_FOUND',
      to === undefined ? 'There is no earlier version.' : `The server has no version ${to}.`,
      {
        hint: `The server has ${earlier.map(({ version }) => version).join(', ') || 'none'}.`,
      },
    );
  return { restores: found.restores ?? found.version, sets: found.sets };
}
