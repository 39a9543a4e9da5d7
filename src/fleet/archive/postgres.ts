import type * as Pg from 'pg';
import { HooklineError, messageOf } from '../../model/errors.ts';
import type { Row, SqlValue } from '../../store/database/driver.ts';
import type { DatabaseAddress } from './address.ts';

/** A connection to PostgreSQL. After an error of the connection itself it is unusable. */
export interface Postgres {
  /** Any number of statements, without values or results. */
  exec(sql: string): Promise<void>;
  /** Values are passed as $1, $2, …, never as part of the text. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Everything or nothing. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
/** A database that doesn't respond for this long counts as gone. */
const ANSWER_MS = 60_000;
/** PostgreSQL's bigint: all of ours fit into a JavaScript number. */
const BIGINT = 20;

/** Connects once. Throws if the server is unreachable or rejects the login. */
export async function openPostgres(address: DatabaseAddress): Promise<Postgres> {
  // Loaded on demand, so that no other command pays for it.
  const { default: pg } = await import('pg');
  const client = new pg.Client(configOf(pg, address));
  // The next query reports the error; without this listener the process would end.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    void client.end().catch(() => {});
    throw unreachable(address, error);
  }
  const query: Postgres['query'] = async (sql, values) => {
    const { rows } = await client.query<Record<string, unknown>>(sql, values && [...values]);
    return rows.map(rowOf);
  };
  return {
    exec: async (sql) => void (await client.query(sql)),
    query,
    async transaction(work) {
      await query('BEGIN');
      try {
        const result = await work();
        await query('COMMIT');
        return result;
      } catch (error) {
        await query('ROLLBACK').catch(() => {});
        throw error;
      }
    },
    close: () => client.end().catch(() => {}),
  };
}

function configOf({ types }: Pick<typeof Pg, 'types'>, address: DatabaseAddress): Pg.ClientConfig {
  const { host, port, database, user, password, tls } = address;
  return {
    host,
    port,
    database,
    ...(user === null ? {} : { user }),
    ...(password === null ? {} : { password }),
    // Always set, because the environment could request less.
    ssl: tls === null ? false : { host, ...(tls.authority === null ? {} : { ca: tls.authority }) },
    application_name: 'hookline',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === BIGINT
          ? Number
          : format === 'binary'
            ? types.getTypeParser(id, format)
            : types.getTypeParser(id),
    },
  };
}

function rowOf(raw: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, sqlValue(value)]));
}

function sqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  return value instanceof Uint8Array ? value : String(value);
}

/** PostgreSQL's error code; empty for an error of the connection. */
function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) ? code : '';
}

/** True if the data is at fault rather than the database, so that a retry would fail too. */
export function isOfTheRecord(error: unknown): boolean {
  // Invalid data, a violated constraint, a limit of PostgreSQL.
  return /^(?:22|23|54)/.test(sqlState(error));
}

/** The error for anything that PostgreSQL rejects. */
export function unreachable(address: DatabaseAddress, error: unknown): HooklineError {
  if (error instanceof HooklineError) return error;
  const why = causeOf(error, address);
  return new HooklineError('DATABASE_UNREACHABLE', `Can't use ${address.shown}: ${why}.`, {
    hint: hintFor(sqlState(error), why, address),
  });
}

/** The cause in words, whatever was thrown, without the password. */
export function causeOf(error: unknown, { password }: Pick<DatabaseAddress, 'password'>): string {
  const said = messageOf(error).trim().replace(/\.$/, '') || 'the connection failed';
  return password === null ? said : said.replaceAll(password, '…');
}

function hintFor(state: string, why: string, { database, tls }: DatabaseAddress): string {
  if (state.startsWith('28') || /password/i.test(why))
    return 'Check the user and the password in HOOKLINE_FLEET_DATABASE, PGPASSWORD or ~/.pgpass.';
  if (state === '42501')
    return 'The user of `fleet server` must own the database or its schema hookline. Readers need USAGE on schema hookline and SELECT on all its tables.';
  if (state === '3D000') return `Create it: \`createdb --encoding UTF8 ${database}\`.`;
  if (tls !== null && /ssl|tls|certificate|self.signed/i.test(why))
    return 'Connections to another machine need TLS. Pass --ca for your own authority, or --plaintext on a network that you trust.';
  return 'Check the address and that PostgreSQL is running there.';
}
