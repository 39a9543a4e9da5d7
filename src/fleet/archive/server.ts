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

/** Stores a team's history in a database. Several can share one database. */
export interface ArchiveServer {
  /** What this server has stored. */
  stored(): Stored;
  /** Resolves once nothing is being stored any more. */
  close(): Promise<void>;
}

/** Throws if the database is unusable now. Later it waits for a missing database or fleet server. */
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
 * Specific to this database, because acknowledgements of another one don't apply here. A copied database has another
 * address. Two spellings of one address make two consumers, which only means reading twice.
 */
function consumerName(id: string, { host, port, database }: DatabaseAddress): string {
  const hash = sha256([id, host, port, database].join('\n'));
  return `archive-${hash.slice(0, 16)}`;
}

/** Logs why the fleet can't be read, once per reason. */
function sayOnce(log: Log) {
  let said: string | null = null;
  const watch = async <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      // An error caused by the end of the connection is reported by the next attempt.
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
