import { existsSync, statSync } from 'node:fs';
import { messageOf } from '../../model/errors.ts';
import { type Link, lastLink, type MachineSigner, START } from '../chain/chain.ts';
import { writeLostGap } from '../chain/gaps.ts';
import { type Database, fileFault, isOfStatement, openDatabase } from '../database/driver.ts';
import { openStore } from '../database/open.ts';
import { foreignParts, restoreSchema, restoreVersion } from '../database/schema.ts';
import { sizeOf } from '../database/size.ts';
import { missingTrouble, type StoreAlert, schemaTrouble, unusableTrouble } from './alerts.ts';
import { structureProblem } from './damage.ts';
import { firstDamagedFrame } from './log-frames.ts';
import { seedDatabase } from './seed-database.ts';
import { copyAside, setAside } from './set-aside.ts';

interface OpenRepairedOptions {
  readonly path: string;
  /** The newest acknowledged place. */
  readonly noted: Link | null;
  readonly signer: MachineSigner;
  tell(trouble: StoreAlert): void;
}

/** A check of a larger database would delay the start for too long. */
const MOST_BYTES = 64 << 20;

/** Opens the store for writing. Sets an unusable store aside and notes what is missing at its end. */
export function openRepaired(options: OpenRepairedOptions): Database {
  const { path, noted } = options;
  if (!existsSync(path) && noted !== null) return startAnew('it is gone', options);
  try {
    const aside = setAsideBrokenLog(options);
    const db = openAsMade(options);
    noteMissing(db, aside, options);
    return db;
  } catch (error) {
    if (fileFault(error) !== 'damaged') throw error;
    return startAnew(messageOf(error), options);
  }
}

/**
 * Only a process that died leaves a log. SQLite would continue where the log seems to end and overwrite what can
 * still be recovered, so this looks before anything is written.
 */
function setAsideBrokenLog({ path, noted }: OpenRepairedOptions): string | null {
  if (noted === null || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  const db = openDatabase(path, { readonly: true });
  try {
    if (sizeOf(db) <= MOST_BYTES) {
      const problem = structureProblem(db);
      if (problem !== null) throw new DamagedError(problem);
    }
    if (lastLink(db).link >= noted.link) return null;
  } finally {
    db.close();
  }
  return firstDamagedFrame(`${path}-wal`) === null ? null : copyAside(path);
}

/** For SQLite, a flipped bit in a column name isn't damage, and neither is a trigger that drops records. */
function openAsMade({ path, tell }: OpenRepairedOptions): Database {
  const { db, version } = openMigrated(path);
  try {
    const restored = [...version, ...restoreSchema(db)];
    const [table] = foreignParts(db);
    if (table) throw new Error(table.message);
    if (restored.length > 0) tell(schemaTrouble(path, restored));
    return db;
  } catch (error) {
    db.close();
    throw new DamagedError(messageOf(error));
  }
}

/**
 * If our own migrations fail on it, no older Hookline left it. The version is read through the connection that stays
 * open, because with some drivers closing a second one drops the lock of the first.
 */
function openMigrated(path: string): { db: Database; version: ReturnType<typeof restoreVersion> } {
  let version: ReturnType<typeof restoreVersion> = [];
  try {
    const db = openStore(path, {}, (opened) => {
      version = restoreVersion(opened);
    });
    return { db, version };
  } catch (error) {
    throw isOfStatement(error) ? new DamagedError(messageOf(error)) : error;
  }
}

/** Carries SQLITE_CORRUPT, so that `fileFault` treats it like SQLite's own error. */
class DamagedError extends Error {
  readonly rawCode = 11;
}

function noteMissing(db: Database, aside: string | null, { noted, signer, tell }: OpenRepairedOptions): void {
  const last = lastLink(db);
  if (noted === null || last.link >= noted.link) return;
  const lost = noted.link - last.link;
  db.transaction(() => {
    writeLostGap(db, { first: last.link + 1, last: noted.link, hash: noted.hash }, signer);
    // Keeps their places in the sessions free, in case they are recovered.
    db.prepare('UPDATE sessions SET sequence = sequence + ?').run(lost);
  });
  tell(missingTrouble(lost, aside));
}

function startAnew(why: string, { path, noted, signer, tell }: OpenRepairedOptions): Database {
  const aside = setAside(path);
  const head = noted ?? START;
  const db = openStore(path);
  const old = aside === null ? null : openToRead(aside);
  try {
    seedDatabase(db, { old, head, recent: [] }, signer);
  } finally {
    old?.close();
  }
  tell(unusableTrouble(why, aside, head.link));
  return db;
}

function openToRead(path: string): Database | null {
  try {
    return openDatabase(path, { readonly: true });
  } catch {
    return null;
  }
}
