import * as v from 'valibot';
import { type OpenHome, openHome } from '../home/open.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import type { Database } from '../store/database/driver.ts';
import { openStore } from '../store/database/open.ts';
import { usedBytes } from '../store/database/size.ts';
import { compact, type Forgotten, forget, type Gone, prune } from '../store/forget.ts';
import { connect } from './client.ts';
import { readHistory } from './history.ts';
import { requireAccess } from './require-access.ts';

const progress = v.object({ done: v.boolean() });
const TIMEOUT_MS = 60_000;

/** Reads observations up to now, with or without a daemon. */
export async function readObserved<T>(paths: HomePaths, read: (db: Database) => T): Promise<T> {
  if (!(await observedByDaemon(paths))) {
    await readHistory(paths, () => {});
    await observeHere(paths);
  }
  const db = openStore(paths.database, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** False if no daemon answers. A store with more than a minute of unprocessed events is read as it is. */
async function observedByDaemon(paths: HomePaths): Promise<boolean> {
  const client = await connect(paths);
  if (client === null) return false;
  const deadline = Date.now() + TIMEOUT_MS;
  try {
    await client.post('/api/ingest');
    while (Date.now() < deadline && !v.parse(progress, await client.post('/api/observe')).done);
    return true;
  } catch {
    // It ended in the meantime.
    return false;
  }
}

async function observeHere(paths: HomePaths): Promise<void> {
  const home = openHome(paths);
  if (home === null) return;
  try {
    await home.observing.catchUp(TIMEOUT_MS);
  } finally {
    home.close();
  }
}

const gone = v.object({ events: v.number(), sessions: v.number() });
const pruned = v.object({ events: v.number(), sessions: v.number(), bytes: v.number() });

/** Deletes permanently, in the process that has the store open. */
export async function forgetHistory(paths: HomePaths, what: Forgotten): Promise<Gone> {
  await readHistory(paths, () => {});
  const client = await connect(paths);
  if (client) return v.parse(gone, await client.post('/api/forget', what));
  await requireAccess(paths, 'forget');
  return withHistory(paths, ({ db, signer }) => {
    const { events, sessions } = forget(db, what, signer);
    compact(db);
    return { events, sessions };
  });
}

/** Prunes what exceeds the configured age and size. */
export async function pruneHistory(paths: HomePaths): Promise<Gone & { readonly bytes: number }> {
  const client = await connect(paths);
  if (client) return v.parse(pruned, await client.post('/api/prune'));
  await requireAccess(paths, 'forget');
  return withHistory(paths, ({ db, signer, config: { retention } }) => {
    const { events, sessions } = prune(db, retention, Date.now(), signer);
    compact(db);
    return { events, sessions, bytes: usedBytes(db) };
  });
}

/** For work that requires having the store open. */
export function withHistory<T>(paths: HomePaths, work: (home: OpenHome) => T): T {
  const home = openHome(paths, 1_000);
  if (home === null) {
    throw new HooklineError(
      'DAEMON_UNREACHABLE',
      'Another process holds the history open and is not responding.',
      {
        hint: 'Try again in a moment, or run `hookline status`.',
      },
    );
  }
  try {
    return work(home);
  } finally {
    home.close();
  }
}
