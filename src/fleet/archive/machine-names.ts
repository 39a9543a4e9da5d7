import { messageOf } from '../../model/errors.ts';
import type { Log } from '../../model/log.ts';
import { waitFor } from '../../platform/wait.ts';
import { plain } from '../../store/read/event-columns.ts';
import { readMachines } from '../machines/follow-machines.ts';
import { openMachinesBucket } from '../server/buckets.ts';
import type { FleetSession } from '../server/connection.ts';
import type { FleetSettings } from '../settings.ts';
import { teamNames } from '../subjects.ts';
import type { ReconnectingDatabase } from './reconnecting-database.ts';

const EVERY_MS = 60_000;

/** Stores the names of machines for display in search results. Without them, IDs are shown. */
export async function followNames(
  session: FleetSession,
  settings: FleetSettings,
  database: ReconnectingDatabase,
  log: Log,
): Promise<void> {
  const { signal } = session;
  let problem: string | null = null;
  while (!signal.aborted) {
    try {
      // Created if no machine has reported yet.
      await openMachinesBucket(session, settings);
      const reports = (await readMachines(session, teamNames(settings.team))).list();
      const machines = reports.map(({ id }) => id);
      const names = reports.map(({ name }) => plain(name));
      await database.run((db) => db.query(UPSERT, [machines, names]), signal);
      problem = null;
    } catch (error) {
      const why = messageOf(error);
      if (why !== problem && !signal.aborted) log('warning', `Machine names are unavailable: ${why}`);
      problem = why;
    }
    await waitFor(EVERY_MS, signal);
  }
}

const UPSERT = `INSERT INTO hookline.machines (machine, name)
  SELECT * FROM unnest($1::text[], $2::text[]) AS given (machine, name) ORDER BY machine
  ON CONFLICT (machine) DO UPDATE SET name = excluded.name WHERE machines.name IS DISTINCT FROM excluded.name`;
