import type * as Pg from 'pg';
import { HooklineError, messageOf } from '../../model/errors.ts';
import type { Row, SqlValue } from '../../store/database/driver.ts';
import type { DatabaseAddress } from './address.ts';

/** A connection to PostgreSQL. After an error of the connection itself it is of no use any more. */
export interface Postgres {
  /** Any number of statements, without values or results. */
  exec(sql: string): Promise<void>;
  /** Values are given for $1, $2, …: never as a part of the text. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** All of it or nothing. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
/** A database that says nothing for so long is gone. */
const ANSWER_MS = 60_000;
/** What PostgreSQL calls bigint: ours are all numbers that JavaScript has. */
const BIGINT = 20;

/** Connects once. Throws where it is not there, or does not let us in. */
export async function openPostgres(address: DatabaseAddress): Promise<Postgres> {
  // Loaded when it is needed: no other command pays for it.
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
    // Given in any case: the environment could ask for less.
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

/** What PostgreSQL calls the error; empty for one of the connection. */
function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) ? code : '';
}

/** Is it what was to be stored that is wrong, and not the database? It would be wrong the next time, too. */
export function isOfTheRecord(error: unknown): boolean {
  // Data that no column takes, a rule of the table, a limit of PostgreSQL.
  return /^(?:22|23|54)/.test(sqlState(error));
}

/** What is said of whatever PostgreSQL does not let us do. */
export function unreachable(address: DatabaseAddress, error: unknown): HooklineError {
  if (error instanceof HooklineError) return error;
  const why = causeOf(error, address);
  return new HooklineError('DATABASE_UNREACHABLE', `Can't use ${address.shown}: ${why}.`, {
    hint: hintFor(sqlState(error), why, address),
  });
}

/** In words, whatever was thrown; a password is in none of them. */
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
