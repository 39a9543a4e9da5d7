import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { HomePaths } from '../home/paths.ts';
import type { Database } from '../store/database/driver.ts';
import { openStore } from '../store/database/open.ts';
import { listEvents, listSessions, type StoredSession } from '../store/read/queries.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { type Client, connect } from './client.ts';

/** Reads the history including spooled events, with or without a daemon. */
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

/** Returns the daemon that ingested the spool, or null if we did. */
export async function takeInSpool(paths: HomePaths): Promise<Client | null> {
  const deadline = Date.now() + SPOOL_DEADLINE_MS;
  for (;;) {
    const client = await connect(paths);
    // If the daemon ends now, the home is free for us.
    if (client && (await ingestedBy(client))) return client;
    // This would load everything that a daemon has, which most readers never need.
    const { ingestWithoutDaemon } = await import('./ingest-without-daemon.ts');
    // Otherwise a daemon is starting or stopping, and hasn't ingested the spool yet or never will.
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

/**
 * Every event after a row as it arrives, until the signal. Checks the store each time, so it survives daemon
 * restarts.
 */
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
    // The feed only signals news; the data comes from the store.
    if (client) await client.follow(readOn, signal);
    else await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** A reader that stays open and returns new events each time. */
export interface HistoryReader {
  /** Events since the last call, oldest first; the newest `most` on the first call. */
  readOn(most: number): readonly StoredEvent[];
  /** Open sessions active since then, most recent first. */
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
      // Without a store a reader gets an empty one, which would stay empty; and a damaged store is replaced.
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
