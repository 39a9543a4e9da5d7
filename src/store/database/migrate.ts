import { readdirSync, readFileSync } from 'node:fs';
import { HooklineError } from '../../model/errors.ts';
import type { Database } from './driver.ts';

interface Migration {
  readonly version: number;
  readonly sql: string;
}

// The build puts the bundle and this directory next to each other, as in the source.
const FOLDER: URL = new URL('./migrations/', import.meta.url);

/** The files of the directory in order; `0001-name.sql` is version 1. */
export function readMigrations(folder: URL = FOLDER): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}-.+\.sql$/.test(name));
  return names.sort().map((name) => ({
    version: Number(name.slice(0, 4)),
    sql: readFileSync(new URL(name, folder), 'utf8'),
  }));
}

/** True if the database has every migration. Throws for a newer database, which must not be touched. */
export function isUpToDate(db: Database, migrations: readonly Migration[]): boolean {
  const latest = migrations.at(-1)?.version ?? 0;
  const version = versionOf(db);
  if (version > latest) {
    throw new HooklineError(
      'STORE_NEWER',
      `The database has version ${version}, this Hookline knows ${latest}.`,
      {
        hint: `Update Hookline, or use another HOOKLINE_HOME. To go back, put hookline.version-${latest}.db in the place of hookline.db: the newer Hookline kept it, and what was recorded since is not in it.`,
      },
    );
  }
  return version === latest;
}

/** Migrates the database to the latest version, completely or not at all. */
export function migrate(db: Database, migrations: readonly Migration[] = readMigrations()): void {
  if (isUpToDate(db, migrations)) return;
  db.transaction(() => {
    // Read again under the lock, because another process may have been faster.
    const version = versionOf(db);
    for (const migration of migrations) {
      if (migration.version <= version) continue;
      db.exec(migration.sql);
      db.exec(`PRAGMA user_version = ${migration.version}`);
    }
  });
}

/** The version of a non-empty database that lacks migrations. */
export function olderVersion(db: Database, migrations: readonly Migration[]): number | null {
  const version = versionOf(db);
  return version > 0 && !isUpToDate(db, migrations) ? version : null;
}

export function versionOf(db: Database): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
