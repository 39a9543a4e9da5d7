import { HooklineError } from '../../model/errors.ts';
import { isLoopback } from '../../platform/loopback.ts';

/** Address of a PostgreSQL server, and how to connect to it. */
export interface DatabaseAddress {
  /** A name, an address, or the directory of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Null for the user from the environment or of this process. */
  readonly user: string | null;
  /** Null to use `PGPASSWORD` or `~/.pgpass`. */
  readonly password: string | null;
  /** Null without TLS. With TLS, the certificate must be for this host. */
  readonly tls: { readonly authority: string | null } | null;
  /** For display, without the password. */
  readonly shown: string;
}

interface AddressOptions {
  /** Connect to another machine without TLS. */
  readonly plaintext: boolean;
  /** Trusted certificates in PEM; null for those of the system. */
  readonly authority: string | null;
}

const DEFAULT_PORT = '5432';

/** An address as people write it: `postgres://user@host/name`, `postgres:///name?host=/run/postgresql`. */
export function parseDatabase(given: string, { plaintext, authority }: AddressOptions): DatabaseAddress {
  if (!URL.canParse(given)) throw refused('it is not a URL');
  const url = new URL(given);
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw refused('it must start with postgres:// or postgresql://');
  const host = decoded(url.hostname).replace(/^\[|\]$/g, '') || url.searchParams.get('host') || 'localhost';
  const database = decoded(url.pathname.slice(1));
  if (database === '' || database.includes('/')) throw refused('the database name is missing');
  const isHere = host.startsWith('/') || isLoopback(host);
  const port = url.port || url.searchParams.get('port') || DEFAULT_PORT;
  const user = decoded(url.username) || null;
  const password = decoded(url.password) || url.searchParams.get('password') || null;
  const mode = url.searchParams.get('sslmode');
  if (mode === 'disable' && !isHere && !plaintext)
    throw new HooklineError(
      'USAGE',
      `${host} is another machine, and sslmode=disable would send data unencrypted.`,
      {
        hint: 'Remove sslmode, or pass --plaintext on a network that you trust.',
      },
    );
  const isPlain = isHere ? mode === null || mode === 'disable' || host.startsWith('/') : plaintext;
  return {
    host,
    port: Number(port),
    database,
    user,
    password,
    tls: isPlain ? null : { authority },
    shown: `postgres://${user === null ? '' : `${user}@`}${host}:${port}/${database}`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('write a literal % as %25');
  }
}

/** Doesn't repeat the input, which may contain a password. */
function refused(why: string): HooklineError {
  return new HooklineError('USAGE', `Invalid database address: ${why}.`, {
    hint: 'Use a URL such as postgres://hookline@db.example.com/hookline, or set HOOKLINE_FLEET_DATABASE.',
  });
}
