import { type FleetSession, openConnection } from '../../fleet/server/connection.ts';
import { type FleetSettings, notJoined, readFleetSecrets, readFleetSettings } from '../../fleet/settings.ts';
import { type TeamNames, teamNames } from '../../fleet/subjects.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError, messageOf } from '../../model/errors.ts';

/** The fleet that this machine has joined. Throws if there is none. */
export function joinedSettings(paths: HomePaths): FleetSettings {
  const settings = readFleetSettings(paths);
  if (settings !== null) return settings;
  throw notJoined();
}

/** A connection for one command. */
interface CommandSession extends Omit<FleetSession, 'signal'> {
  readonly names: TeamNames;
}

/** Connects, runs the command and closes. Errors name the server and the cause. */
export async function withFleet<T>(
  paths: HomePaths,
  work: (session: CommandSession) => Promise<T>,
): Promise<T> {
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
    throw new HooklineError('FLEET_UNREACHABLE', `Can't use ${where}: ${messageOf(error)}.`, {
      cause: error,
      hint: 'Check the connection with `hookline fleet status`. The login needs permission for this.',
    });
  }
}
