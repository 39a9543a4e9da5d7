import { type FleetSession, openConnection } from '../fleet/connection.ts';
import { createKnownMachines, type KnownMachines, readMachines } from '../fleet/follow-machines.ts';
import { readFleetSecrets } from '../fleet/settings.ts';
import { type TeamNames, teamNames } from '../fleet/subjects.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError, messageOf } from '../model/errors.ts';
import { joinedSettings } from './fleet-admin.ts';

/** A connection of its own to the server of the fleet, for one look. */
interface LookSession extends Omit<FleetSession, 'signal'> {
  readonly names: TeamNames;
}

/** Connects, works and closes. Says why where that does not go. */
export async function withFleet<T>(paths: HomePaths, work: (session: LookSession) => Promise<T>): Promise<T> {
  const settings = joinedSettings(paths);
  try {
    const session = await openConnection(settings, readFleetSecrets(paths, settings));
    try {
      return await work({ ...session, names: teamNames(settings.team) });
    } finally {
      await session.nats.close();
    }
  } catch (error) {
    if (error instanceof HooklineError) throw error;
    const where = settings.servers.join(', ');
    throw new HooklineError('FLEET_UNREACHABLE', `${where} cannot be asked: ${messageOf(error)}.`, {
      cause: error,
      hint: '`hookline fleet status` says whether this machine is connected; its login has to let it read.',
    });
  }
}

/** The machines that have said something of themselves. */
export async function machinesOf(session: LookSession): Promise<KnownMachines> {
  const machines = createKnownMachines();
  await readMachines(session, session.names, machines);
  return machines;
}
