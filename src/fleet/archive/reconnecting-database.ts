import type { Log } from '../../model/log.ts';
import { waitBeforeRetry } from '../../platform/wait.ts';
import type { DatabaseAddress } from './address.ts';
import { causeOf, isOfTheRecord, openPostgres, type Postgres, unreachable } from './postgres.ts';

/** A database that reconnects: work waits while the connection is down. */
export interface ReconnectingDatabase {
  /**
   * Runs the work, repeating it on a new connection after each failure until it succeeds, so it must be safe to
   * repeat. Null if the signal aborts first. Throws only errors of the data.
   */
  run<T>(work: (db: Postgres) => Promise<T>, signal: AbortSignal): Promise<T | null>;
  /** Increases with each connection, because a new one may lead to a database restored from a copy. */
  connections(): number;
  close(): Promise<void>;
}

interface ReconnectingOptions {
  readonly address: DatabaseAddress;
  readonly log: Log;
  /** Runs on each connection before any work. */
  prepare(db: Postgres): Promise<void>;
}

/** Throws if the first connection fails, so that the person who starts a server sees why. */
export async function openReconnecting({
  address,
  log,
  prepare,
}: ReconnectingOptions): Promise<ReconnectingDatabase> {
  const connection = reconnecting(address, prepare);
  await connection.current();
  let problem: string | null = null;

  async function once<T>(work: (db: Postgres) => Promise<T>, signal: AbortSignal): Promise<T | null> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        const result = await work(await connection.current());
        if (problem !== null) log('info', 'The database is back.');
        problem = null;
        return result;
      } catch (error) {
        if (isOfTheRecord(error)) throw error;
        const why = causeOf(error, address);
        if (why !== problem) log('warning', `Waiting for the database: ${why}`);
        problem = why;
        await connection.close();
        await waitBeforeRetry(failures, signal);
      }
    }
    return null;
  }

  // Sequential, because a connection has one transaction at a time.
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work, signal) {
      const mine = last.then(() => once(work, signal));
      last = mine.catch(() => {});
      return mine;
    },
    connections: connection.count,
    close: connection.close,
  };
}

/** One connection at a time, opened on demand. */
function reconnecting(address: DatabaseAddress, prepare: ReconnectingOptions['prepare']) {
  let current: Postgres | null = null;
  let count = 0;

  async function open(): Promise<Postgres> {
    const db = await openPostgres(address);
    try {
      await prepare(db);
    } catch (error) {
      await db.close();
      throw unreachable(address, error);
    }
    count += 1;
    return db;
  }

  return {
    async current(): Promise<Postgres> {
      current ??= await open();
      return current;
    },
    count: () => count,
    async close(): Promise<void> {
      const open = current;
      current = null;
      await open?.close();
    },
  };
}
