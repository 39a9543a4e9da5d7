import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';
import { type Database, type OpenOptions, openDatabase } from './driver.ts';
import { isUpToDate, migrate, olderVersion, readMigrations } from './migrate.ts';
import { keepUpgradeCopy } from './upgrade-copy.ts';

/**
 * Opens the store for its writer, creating and migrating it as needed, or with `readonly` for a reader. Without a
 * store, a reader gets an empty one and creates no file.
 * @param before runs before the database is migrated, for writers only
 */
export function openStore(
  path: string,
  options: OpenOptions = {},
  before: (db: Database) => void = () => {},
): Database {
  if (!options.readonly) return openWriter(path, options, before);
  if (!existsSync(path)) return openScratchStore(options);
  const db = openDatabase(path, options);
  try {
    if (isUpToDate(db, readMigrations())) return db;
  } catch (error) {
    db.close();
    throw error;
  }
  // Left by an older Hookline, or just being created by a daemon: there is nothing to read yet.
  db.close();
  openWriter(path, options).close();
  return openDatabase(path, options);
}

/**
 * Moves the write-ahead log into the database and closes it. Skipping this loses nothing, but makes the next start
 * slower.
 */
export function closeStore(db: Database): void {
  checkpoint(db);
  db.close();
}

/** Empties the write-ahead log, except for what readers still need. */
export function checkpoint(db: Database): void {
  db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
}

function openWriter(path: string, options: OpenOptions, before: (db: Database) => void = () => {}): Database {
  makeFolder(dirname(path), 0o700);
  // SQLite gives the log the mode of the database, and prompts and commands are private.
  closeSync(openSync(path, 'a', 0o600));
  return migrated(openDatabase(path, { ...options, readonly: false }), path, before);
}

/** An empty store in memory, gone once it is closed. */
export function openScratchStore(options: OpenOptions = {}): Database {
  return migrated(openDatabase(':memory:', { ...options, readonly: false }));
}

function migrated(
  db: Database,
  path: string | null = null,
  before: (db: Database) => void = () => {},
): Database {
  try {
    before(db);
    const migrations = readMigrations();
    const older = olderVersion(db, migrations);
    if (older !== null && path !== null) keepUpgradeCopy(db, path, older);
    migrate(db, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
