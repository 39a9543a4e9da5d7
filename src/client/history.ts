import { setTimeout as pause } from 'node:timers/promises';
import { openHome } from '../daemon/open-home.ts';
import type { HomePaths } from '../home/paths.ts';
import type { Database } from '../store/driver.ts';
import { openStore } from '../store/open.ts';
import { listEvents } from '../store/queries.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { connect } from './client.ts';

/** Reads the history, with whatever is still spooled, whether a daemon runs or not. */
export async function readHistory<T>(paths: HomePaths, read: (db: Database) => T): Promise<T> {
  await takeInSpool(paths);
  const db = openStore(paths.database, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

async function takeInSpool(paths: HomePaths): Promise<void> {
  const client = await connect(paths);
  if (client) {
    await client.post('/api/ingest');
    return;
  }
  // Null when a daemon is just starting: it takes in the spool itself.
  const home = openHome(paths);
  home?.ingest();
  home?.close();
}

/** Every event after a row, as they come, until the signal. Survives restarts of the daemon. */
export async function followHistory(
  paths: HomePaths,
  afterRow: number,
  onEvent: (event: StoredEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = afterRow;
  const readOn = () => {
    const db = openStore(paths.database, { readonly: true });
    try {
      for (const event of listEvents(db, { afterRow: last })) {
        last = event.row;
        onEvent(event);
      }
    } finally {
      db.close();
    }
  };
  while (!signal.aborted) {
    readOn();
    const client = await connect(paths);
    // The feed only says that there is something new; the store is what is read.
    if (client) await client.follow(readOn, signal);
    else await pause(500, undefined, { signal }).catch(() => {});
  }
}
