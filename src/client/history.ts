import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { HomePaths } from '../home/paths.ts';
import type { Database } from '../store/database/driver.ts';
import { openStore } from '../store/database/open.ts';
import { listEvents, listSessions, type StoredSession } from '../store/read/queries.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { type Client, connect } from './client.ts';

/** Reads the history, with whatever is still spooled, whether a daemon runs or not. */
export async function readHistory<T>(paths: HomePaths, read: (db: Database) => T | Promise<T>): Promise<T> {
  await takeInSpool(paths);
  const db = openStore(paths.database, { readonly: true });
  try {
    return await read(db);
  } finally {
    db.close();
  }
}

const SPOOL_DEADLINE_MS = 5_000;

/** Gives the daemon that took it in, or null when that was us. */
export async function takeInSpool(paths: HomePaths): Promise<Client | null> {
  const deadline = Date.now() + SPOOL_DEADLINE_MS;
  for (;;) {
    const client = await connect(paths);
    // One that dies just now leaves the home to us.
    if (client && (await ingestedBy(client))) return client;
    // All that a daemon has would be loaded, which most readers never need.
    const { ingestWithoutDaemon } = await import('./ingest-without-daemon.ts');
    // Neither: a daemon is starting or stopping, and has not come to the spool yet or never will.
    if (ingestWithoutDaemon(paths) || Date.now() > deadline) return null;
    await pause(25);
  }
}

async function ingestedBy(client: Client): Promise<boolean> {
  try {
    await client.post('/api/ingest');
    return true;
  } catch {
    return false;
  }
}

const LOOK_EVERY_MS = 500;

/** Every event after a row, as they come, until the signal, with a look at the rest each time. Survives restarts of the daemon. */
export async function followHistory(
  paths: HomePaths,
  afterRow: number,
  onEvent: (event: StoredEvent) => void,
  signal: AbortSignal,
  onLook: (db: Database) => void = () => {},
): Promise<void> {
  let last = afterRow;
  const readOn = () => {
    const db = openStore(paths.database, { readonly: true });
    try {
      for (const event of listEvents(db, { afterRow: last })) {
        last = event.row;
        onEvent(event);
      }
      onLook(db);
    } finally {
      db.close();
    }
  };
  while (!signal.aborted) {
    const client = await takeInSpool(paths);
    readOn();
    // The feed only says that there is something new; the store is what is read.
    if (client) await client.follow(readOn, signal);
    else await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** A reader that stays open and gives what is new each time. */
export interface HistoryReader {
  /** What came since the last time, oldest first; the first time the newest `most`. */
  readOn(most: number): readonly StoredEvent[];
  /** Those that have not ended and were active since then, the most recent first. */
  sessions(since: number): readonly StoredSession[];
  close(): void;
}

const MOST_SESSIONS = 100;

export function openHistoryReader(paths: HomePaths): HistoryReader {
  let db: Database | null = null;
  let file: number | null = null;
  let last: number | null = null;
  return {
    readOn(most) {
      // Where there is no store yet a reader gets an empty one, which would stay empty; and a store that was damaged is
      // replaced by another one.
      const now = statSync(paths.database, { throwIfNoEntry: false })?.ino ?? null;
      if (now !== null && now !== file) {
        db?.close();
        db = openStore(paths.database, { readonly: true });
        file = now;
      }
      if (db === null) return [];
      const page = last === null ? { newest: true, limit: most } : { afterRow: last, limit: most };
      const events = listEvents(db, page);
      last = events.at(-1)?.row ?? last ?? 0;
      return events;
    },
    sessions: (since) =>
      db === null
        ? []
        : listSessions(db, { since, limit: MOST_SESSIONS }).filter(({ endedAt }) => endedAt === null),
    close: () => db?.close(),
  };
}
