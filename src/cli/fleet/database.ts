import type { DatabaseAddress } from '../../fleet/archive/address.ts';
import type { Postgres } from '../../fleet/archive/postgres.ts';
import { usage, value } from '../command.ts';
import { contentOf } from '../values.ts';

const VARIABLE = 'HOOKLINE_FLEET_DATABASE';

/** Subcommands that use the database. */
export const DATABASE = 'server, search and verify';

export const DATABASE_OPTIONS = {
  database: value(
    'URL',
    `PostgreSQL URL, such as postgres://user@host/name. If it has a password, use ${VARIABLE} instead.`,
    { of: DATABASE },
  ),
} as const;

export interface DatabaseOptions {
  readonly database?: string;
  readonly plaintext?: boolean;
  readonly ca?: string;
}

export async function databaseGiven({
  database = process.env[VARIABLE] ?? '',
  plaintext = false,
  ca,
}: DatabaseOptions): Promise<DatabaseAddress> {
  if (database.trim() === '') throw usage('fleet', `Missing database. Pass --database or set ${VARIABLE}.`);
  const { parseDatabase } = await import('../../fleet/archive/address.ts');
  const authority = ca === undefined ? null : contentOf(ca);
  return parseDatabase(database.trim(), { plaintext, authority });
}

/** Opens a read-only connection and closes it at the end. */
export async function withArchive<T>(
  options: DatabaseOptions,
  work: (db: Postgres) => Promise<T>,
): Promise<T> {
  const address = await databaseGiven(options);
  const { openPostgres, unreachable } = await import('../../fleet/archive/postgres.ts');
  const { assertArchive } = await import('../../fleet/archive/migrate.ts');
  const db = await openPostgres(address);
  try {
    await db.query('SET default_transaction_read_only = on');
    await assertArchive(db);
    return await work(db);
  } catch (error) {
    throw unreachable(address, error);
  } finally {
    await db.close();
  }
}
