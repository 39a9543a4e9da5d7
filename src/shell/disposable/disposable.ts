import type { Place } from '../../knowledge/place.ts';
import type { Analysis, Effect, EffectOf } from '../analysis.ts';
import { DEPLOYMENT } from '../deployment.ts';
import { removedByDocker } from './containers.ts';
import { passingInDatabase } from './databases.ts';
import { emulatorOf, migratedBy } from './environments.ts';
import { type InLine, isDoubtful, isRunHere, placeOfTool } from './line.ts';
import { namesTrial } from './named-place.ts';
import { isPassing } from './place-names.ts';
import { fromBroker, inLocalCluster, localCloud, localCluster, localMachine, requested } from './services.ts';

type Names = readonly string[] | null;

/** How it is found out what a program takes away, where that is on this machine. */
const SUBJECTS: Partial<Record<Place['is'], (given: InLine) => Names>> = {
  engine: removedByDocker,
  'local-clusters': localCluster,
  cluster: inLocalCluster,
  releases: inLocalCluster,
  request: requested,
  cloud: localCloud,
  broker: fromBroker,
  machines: localMachine,
  migration: migratedBy,
};

/**
 * The effects of a line on disposable resources: they are on this machine, and the name or environment says
 * that it is for tests or for a while. Where a word of that is not known, it is not among them.
 */
export function disposables(line: Analysis): ReadonlySet<Effect> {
  const found = new Set<Effect>(triedOut(line));
  const isDestructive = (effect: Effect) => effect.kind === 'resource' && effect.destructive;
  const isDoubt = remembered(() => isDoubtful(line));
  for (const [index, command] of line.commands.entries()) {
    const given = { command, index, line };
    const judge = command.inert || command.tool === null ? null : judgeOf(given);
    if (judge === null || !isRunHere(given) || isDoubt()) continue;
    const own = line.effects.filter((effect) => effect.command === index);
    const kept = own.filter(
      (effect) => isDestructive(effect) && !(effect.kind === 'resource' && judge(effect)),
    );
    for (const effect of own) {
      if (effect.kind === 'resource' ? !kept.includes(effect) : effect.kind === 'run' && kept.length === 0)
        found.add(effect);
    }
  }
  return found;
}

/** What is deployed to a place for tests. */
function triedOut({ commands, effects }: Analysis): readonly Effect[] {
  return effects.filter((effect) => {
    if (effect.kind !== 'resource' || effect.system !== DEPLOYMENT) return false;
    const deploying = commands[effect.command ?? -1];
    return deploying !== undefined && namesTrial(deploying);
  });
}

type Judge = (effect: EffectOf<'resource'>) => boolean;

function judgeOf(given: InLine): Judge | null {
  const place = placeOfTool(given.command);
  if (place === undefined) return null;
  if (emulatorOf(given)) return () => true;
  const names = SUBJECTS[place.is]?.(given) ?? null;
  if (names !== null && names.length > 0 && names.every(isPassing)) return () => true;
  return passingInDatabase(given);
}

function remembered<T>(find: () => T): () => T {
  let value: { readonly of: T } | null = null;
  return () => {
    value ??= { of: find() };
    return value.of;
  };
}
