import type { Call } from '../call.ts';
import { databaseWork } from './database-work.ts';
import { machineWork } from './machine-work.ts';
import { isInProduction } from './production.ts';

/**
 * What a command changes on a machine that it was sent to, or in the production database. Called for each command
 * after its own effects, which begin at `from`.
 */
export function changesLiveSystem(call: Call, from: number): void {
  const { command, walk, index } = call;
  if (command.inert || command.tool === null) return;
  if (command.place === 'remote') {
    const own = walk.effects.slice(from).filter((effect) => effect.command === index);
    const work = databaseWork(command) ?? machineWork(command, own);
    // A virtual machine is the developer's own.
    if (work !== null && !command.via.includes('vagrant')) call.resource('remote', 'change', false, work);
    return;
  }
  const work = databaseWork(command);
  if (work !== null && isInProduction(call)) call.resource('production', 'change', false, work);
}
