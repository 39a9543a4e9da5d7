import { randomUUID } from 'node:crypto';
import { HooklineError } from '../../model/errors.ts';
import { readMigrations } from '../../store/database/migrate.ts';
import type { Postgres } from './postgres.ts';

// The build puts the bundle and this directory next to each other, as in the source.
const FOLDER: URL = new URL('./tables/', import.meta.url);
/** An arbitrary number that all servers share, so that they wait for each other. */
const LOCK = 4_077_112_025;

/** Creates or upgrades the tables, completely or not at all. Returns the ID of the archive. */
export function prepareArchive(db: Postgres, team: string): Promise<string> {
  return db.transaction(async () => {
    await db.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await assertUtf8(db);
    const [schema] = await db.query("SELECT to_regnamespace('hookline')::text AS found");
    if (schema?.found === null) await db.query('CREATE SCHEMA hookline');
    await db.query('CREATE TABLE IF NOT EXISTS hookline.migrations (version integer PRIMARY KEY)');
    const version = await versionOf(db);
    for (const migration of readMigrations(FOLDER).filter((one) => one.version > version)) {
      await db.exec(migration.sql);
      await db.query('INSERT INTO hookline.migrations (version) VALUES ($1)', [migration.version]);
    }
    return idOf(db, team);
  });
}

/** Throws if the tables are missing. A reader must not create them. */
export async function assertArchive(db: Postgres): Promise<void> {
  const [table] = await db.query("SELECT to_regclass('hookline.migrations')::text AS found");
  if (table?.found === null)
    throw new HooklineError('NOT_FOUND', 'This database has no fleet archive.', {
      hint: 'Run `hookline fleet server` to create one.',
    });
  await versionOf(db);
}

async function versionOf(db: Postgres): Promise<number> {
  const latest = readMigrations(FOLDER).at(-1)?.version ?? 0;
  const [row] = await db.query('SELECT coalesce(max(version), 0) AS version FROM hookline.migrations');
  const version = Number(row?.version ?? 0);
  if (version <= latest) return version;
  throw new HooklineError(
    'STORE_NEWER',
    `The tables have version ${version}; this Hookline supports ${latest}.`,
    {
      hint: 'Update Hookline on this machine.',
    },
  );
}

/** Names and commands may contain any character. */
async function assertUtf8(db: Postgres): Promise<void> {
  const [row] = await db.query("SELECT current_setting('server_encoding') AS encoding");
  if (row?.encoding !== 'UTF8')
    throw new HooklineError('USAGE', `The database uses the encoding ${row?.encoding} instead of UTF8.`, {
      hint: 'Create another one: `createdb --encoding UTF8 --template template0 NAME`.',
    });
}

/** One database holds one team, because every reader can search all of it. */
async function idOf(db: Postgres, team: string): Promise<string> {
  await db.query('INSERT INTO hookline.archive (one, id, team) VALUES (1, $1, $2) ON CONFLICT DO NOTHING', [
    randomUUID(),
    team,
  ]);
  const [known] = await db.query('SELECT id, team FROM hookline.archive');
  if (known?.team === team) return String(known.id);
  throw new HooklineError('USAGE', `This database belongs to the fleet ${known?.team}, not to ${team}.`, {
    hint: 'Use a separate database for each fleet.',
  });
}
