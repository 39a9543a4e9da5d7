import type { FleetEvent } from '../../fleet/machines/fleet-event.ts';
import {
  followMachines,
  type KnownMachines,
  readMachines,
  withMachineName,
} from '../../fleet/machines/follow-machines.ts';
import { followEvents } from '../../fleet/machines/recent-events.ts';
import { type FleetSession, keepConnected } from '../../fleet/server/connection.ts';
import { readFleetSecrets } from '../../fleet/settings.ts';
import { teamNames } from '../../fleet/subjects.ts';
import type { HomePaths } from '../../home/paths.ts';
import { messageOf } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import { paint } from '../output/paint.ts';
import { fleetLine } from './events.ts';
import { machineLines } from './machines.ts';
import { joinedSettings, withFleet } from './session.ts';

/** Earlier events that are shown first. */
const BEFORE = 20;

/** Prints calls on all machines, one line each, until the signal aborts. */
export async function watchFleet(paths: HomePaths, json: boolean, signal: AbortSignal): Promise<void> {
  const settings = joinedSettings(paths);
  // An unreachable server is reported at once.
  const machines = await withFleet(paths, (session) => readMachines(session, session.names));
  // Only their number: `fleet machines` lists them.
  if (!json) console.log(machineLines(machines.list(), Date.now())[0]);
  let after = 0;
  const hear = (event: FleetEvent) => {
    after = event.place;
    if (json) console.log(JSON.stringify(withMachineName(event, machines)));
    else if (!event.minor) console.log(fleetLine(event, machines.nameOf(event.machine)));
  };
  const connection = keepConnected({
    settings,
    secrets: readFleetSecrets(paths, settings),
    work: (session) => follow(session, settings.team, machines, { after, hear }),
  });
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
  });
  await connection.close();
}

/** Throws if the events can't be followed. Machine names are optional. */
async function follow(
  session: FleetSession,
  team: string,
  machines: KnownMachines,
  { after, hear }: { readonly after: number; hear(event: FleetEvent): void },
): Promise<void> {
  const names = teamNames(team);
  const note = (text: string) => console.error(paint.yellow(text));
  let isSaid = false;
  void followMachines(session, names, machines, session.signal).catch((error: unknown) => {
    if (!session.signal.aborted) note(`New machines are shown by ID: ${messageOf(error)}.`);
  });
  await followEvents(
    session,
    names,
    {
      after,
      last: after === 0 ? BEFORE : Number.POSITIVE_INFINITY,
      hear,
      skipped: (count) => note(`${counted(count, 'message')} skipped: too many to read.`),
      leftOut: () => {
        // Reported once: a sender of invalid messages could otherwise fill the screen.
        if (!isSaid)
          note(
            'Some messages were rejected: signature check failed. Run `hookline fleet verify` for details.',
          );
        isSaid = true;
      },
    },
    session.signal,
  ).catch((error: unknown) => {
    if (!session.signal.aborted) note(`${messageOf(error)}. Retrying.`);
    throw error;
  });
}
