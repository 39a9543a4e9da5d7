import type { Call } from '../call.ts';
import { databaseWork } from './database-work.ts';
import { machineWork } from './machine-work.ts';
import { isInProduction } from './production.ts';
import { serviceWork, unknownWork } from './service-work.ts';
import { goesLive, taskDeed, tasksOf } from './tasks.ts';

/**
 * What a command changes on a machine that it was sent to, in the production database, or for those who use what runs
 * there. Called for each command after its own effects, which begin at `from`.
 */
export function changesLiveSystem(call: Call, from: number): void {
  const { command } = call;
  if (command.inert || command.name === null) return;
  const isElsewhere = command.place === 'remote';
  const own = isElsewhere || command.tool !== null ? ownEffects(call, from) : [];
  if (isElsewhere) {
    if (command.tool === null) return;
    const work = databaseWork(command) ?? machineWork(command, own);
    // A virtual machine is the developer's own.
    if (work !== null && !command.via.includes('vagrant')) call.resource('remote', 'change', false, work);
    return;
  }
  const tasks = tasksOf(command);
  const deed = tasks.length === 0 ? null : taskDeed(command, tasks);
  if (deed !== null) call.resource('task', 'run', deed, tasks.join(' '));
  const live = goesLive(tasks) ? tasks.join(' ') : null;
  const work = databaseWork(command) ?? serviceWork(command, own) ?? unknownWork(command) ?? live;
  if (work !== null && isInProduction(call, live !== null))
    call.resource('production', 'change', false, work);
}

function ownEffects({ walk, index }: Call, from: number) {
  return walk.effects.slice(from).filter((effect) => effect.command === index);
}
