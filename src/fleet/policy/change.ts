import { HooklineError } from '../../model/errors.ts';
import type { PolicyDocument, PolicyFiles, PolicySet, Target } from './document.ts';
import { isSameTarget } from './target.ts';

/** The result of a change to a policy; the publisher assigns the version. */
type Change = Pick<PolicyDocument, 'restores' | 'sets'>;
type Sets = readonly PolicySet[];

interface Publication {
  readonly target: Target;
  readonly files: PolicyFiles;
  readonly percent: number;
  readonly observe: boolean;
}

/** New files for one target; those for others stay. */
export function published(sets: Sets, { target, files, percent, observe }: Publication): Change {
  const current = sets.find((set) => isSameTarget(set.target, target));
  const before = current ? settled(current) : null;
  return { restores: null, sets: replaced(sets, { target, files, percent, observe, before }) };
}

/** The files enforced on all machines of a set, without a percentage or observe mode. */
function settled({ files, percent, observe, before }: PolicySet): PolicyFiles | null {
  return percent === 100 && !observe ? files : before;
}

function replaced(sets: Sets, next: PolicySet): Sets {
  return [...sets.filter(({ target }) => !isSameTarget(target, next.target)), next];
}

interface Rollout {
  readonly target: Target;
  /** Unchanged if omitted. */
  readonly percent?: number | undefined;
  readonly enforce?: boolean | undefined;
}

/** The same files for more machines, or enforced from now on. */
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
  // Keeps the previous files, because a lower percentage puts machines back to them.
  return {
    restores: null,
    sets: replaced(sets, { ...current, percent: percent ?? current.percent, observe }),
  };
}

/** The rules of an earlier version: the previous one, or the one named. `earlier`: newest first. */
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
