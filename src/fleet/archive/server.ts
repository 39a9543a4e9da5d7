import { messageOf } from '../../model/errors.ts';
import type { Log } from '../../model/log.ts';
import { sha256 } from '../../platform/sha256.ts';
import { keepConnected, openConnection } from '../server/connection.ts';
import type { FleetSecrets, FleetSettings } from '../settings.ts';
import type { DatabaseAddress } from './address.ts';
import { type FollowOptions, followStream } from './follow.ts';
import { followNames } from './machine-names.ts';
import { prepareArchive } from './migrate.ts';
import { openReconnecting } from './reconnecting-database.ts';
import type { Stored } from './write.ts';

interface ServerOptions extends Partial<Pick<FollowOptions, 'stored' | 'ackMs'>> {
  readonly settings: FleetSettings;
  readonly secrets: FleetSecrets;
  readonly address: DatabaseAddress;
  readonly log: Log;
}

/** Keeps the record of a team in a database. Any number of them may work on the same one. */
export interface ArchiveServer {
  /** What this one has stored. */
  stored(): Stored;
  /** Resolves when nothing is stored any more. */
  close(): Promise<void>;
}

/** Throws where the database cannot be used now; one that goes away later, and a server of the fleet, are waited for. */
export async function openArchiveServer(options: ServerOptions): Promise<ArchiveServer> {
  const { settings, secrets, address, log, ackMs } = options;
  let id = '';
  const prepare = async (db: Parameters<typeof prepareArchive>[0]) => {
    id = await prepareArchive(db, settings.team);
  };
  const database = await openReconnecting({ address, log, prepare });
  let all: Stored = { records: 0, refused: 0 };
  const stored = (what: Stored) => {
    all = { records: all.records + what.records, refused: all.refused + what.refused };
    options.stored?.(what);
  };
  const problems = sayOnce(log);

  const connection = keepConnected({
    settings,
    secrets,
    open: (...given) => problems(openConnection(...given)),
    async work(session) {
      problems.clear();
      const names = followNames(session, settings, database, log);
      const follow = { settings, database, stored, ...(ackMs === undefined ? {} : { ackMs }) };
      while (!session.signal.aborted) {
        await problems(
          followStream(session, { ...follow, consumer: consumerName(id, address) }),
          session.signal,
        );
      }
      await names;
    },
  });
  return {
    stored: () => all,
    async close() {
      await connection.close();
      await database.close();
    },
  };
}

/**
 * Of this database: what another one has acknowledged is not here. A copy of a database has another place, and with the place
 * spelled in two ways there are two, which costs reading twice and loses nothing.
 */
function consumerName(id: string, { host, port, database }: DatabaseAddress): string {
  const hash = sha256([id, host, port, database].join('\n'));
  return `archive-${hash.slice(0, 16)}`;
}

/** Says why the fleet cannot be read, once while it stays the same. */
function sayOnce(log: Log) {
  let said: string | null = null;
  const watch = async <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      // What ends with the connection is said where the next one fails.
      if (signal?.aborted) throw error;
      const why = messageOf(error);
      if (why !== said) log('warning', `Waiting for the stream of the fleet: ${why}`);
      said = why;
      throw error;
    }
  };
  const clear = () => {
    if (said !== null) log('info', 'The fleet is back.');
    said = null;
  };
  return Object.assign(watch, { clear });
}
