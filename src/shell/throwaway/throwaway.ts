import type { Analysis, Effect, EffectOf } from '../analysis.ts';
import { removedByDocker } from './containers.ts';
import { passingInDatabase } from './databases.ts';
import { emulatorOf, migratedBy } from './environments.ts';
import { type InLine, isDoubtful, isRunHere } from './line.ts';
import { isPassing } from './names.ts';
import { fromBroker, inLocalCluster, localCloud, localCluster, localMachine, requested } from './services.ts';

type Names = readonly string[] | null;

/** How it is found out what a program takes away, where that is on this machine. */
const SUBJECTS = new Map<string, (given: InLine) => Names>([
  ...each('docker podman nerdctl docker-compose', removedByDocker),
  ...each('kind k3d minikube', localCluster),
  ...each('kubectl oc helm', inLocalCluster),
  ...each('curl curlie', requested),
  ...each('aws', localCloud),
  ...each(
    'kafka-topics kafka-consumer-groups kafka-delete-records rabbitmqadmin rabbitmqctl nats etcdctl',
    fromBroker,
  ),
  ...each('multipass limactl colima', localMachine),
]);

function each(programs: string, find: (given: InLine) => Names): [string, (given: InLine) => Names][] {
  return programs.split(' ').map((program) => [program, find]);
}

/**
 * The effects of a line on what is made to be thrown away: it is on this machine, and its name or its environment says
 * that it is for tests or for a while. Where a word of that is not known, it is not among them.
 */
export function throwaways(line: Analysis): ReadonlySet<Effect> {
  const found = new Set<Effect>();
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

type Judge = (effect: EffectOf<'resource'>) => boolean;

function judgeOf(given: InLine): Judge | null {
  const byDatabase = passingInDatabase(given);
  const tool = given.command.tool ?? '';
  if (emulatorOf(given)) return () => true;
  const names = SUBJECTS.get(tool)?.(given) ?? migratedBy(given);
  if (names !== null && names.length > 0 && names.every(isPassing)) return () => true;
  return byDatabase;
}

function remembered<T>(find: () => T): () => T {
  let value: { readonly of: T } | null = null;
  return () => {
    value ??= { of: find() };
    return value.of;
  };
}
