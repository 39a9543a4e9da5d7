import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { HooklineError, messageOf } from '../../model/errors.ts';
import { LONGEST_RETRY_MS, waitFor, waitUpTo } from '../../platform/wait.ts';
import type { FleetSecrets, FleetSettings } from '../settings.ts';
import { normalizedCreds } from './creds.ts';
import { loadNats, type Nats } from './nats.ts';
import { closingSockets, ignoreLateErrors, socketOf } from './own-sockets.ts';
import { needsTls } from './servers.ts';

/** An open connection. When it breaks, the signal aborts, and the next connection is a new session. */
export interface FleetSession {
  readonly nats: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Aborts with the connection, or when the machine leaves. */
  readonly signal: AbortSignal;
}

export function notConnected(): HooklineError {
  return new HooklineError('FLEET_UNREACHABLE', 'This machine is not connected to its fleet.', {
    hint: 'Run `hookline fleet status` to see why.',
  });
}

/** The server doesn't permit listening where this machine's replies arrive. */
const NOT_OURS = 'the login is not for this machine';

const CONNECT_MS = 5_000;
/** A server that is silent for twice this long counts as gone. */
const PING_MS = 15_000;

/** Connects once. Throws if the server is unreachable or rejects this machine. */
export function openConnection(
  settings: FleetSettings,
  secrets: FleetSecrets,
): Promise<Omit<FleetSession, 'signal'>> {
  return closingSockets(() => connectOnce(settings, secrets));
}

async function connectOnce(
  settings: FleetSettings,
  secrets: FleetSecrets,
): Promise<Omit<FleetSession, 'signal'>> {
  const loaded = await loadNats();
  const nats = await loaded.transport.connect(optionsOf(loaded, settings, secrets));
  const socket = socketOf(nats);
  if (socket !== null) ignoreLateErrors(socket);
  try {
    const { jetstream, jetstreamManager } = loaded.jetstream;
    return { nats, js: jetstream(nats), jsm: await jetstreamManager(nats) };
  } catch (error) {
    await nats.close().catch(() => {});
    const isOthers = secrets.inbox !== undefined && messageOf(error).includes(secrets.inbox);
    throw isOthers ? new Error(NOT_OURS, { cause: error }) : error;
  }
}

function optionsOf({ transport }: Nats, settings: FleetSettings, secrets: FleetSecrets): ConnectionOptions {
  const { servers, name, plaintext, team } = settings;
  return {
    servers: [...servers],
    name: `hookline ${team} ${name}`,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    // Each connection is a separate session, see `keepConnected`.
    reconnect: false,
    ...(secrets.inbox === undefined ? {} : { inboxPrefix: secrets.inbox }),
    ...loginOf(transport, settings, secrets),
    // If set, the client rejects a server without TLS before it sends anything.
    ...(needsTls(servers) && !plaintext ? { tls: authorityOf(secrets) } : {}),
  };
}

function authorityOf({ authority }: FleetSecrets) {
  return authority === null ? {} : { ca: authority };
}

function loginOf(
  { credsAuthenticator }: Nats['transport'],
  { login, user }: FleetSettings,
  { login: secret }: FleetSecrets,
): ConnectionOptions {
  if (secret === null) return {};
  if (login === 'creds') return { authenticator: credsAuthenticator(Buffer.from(normalizedCreds(secret))) };
  return login === 'password' ? { user: user ?? '', pass: secret } : { token: secret };
}

/** The current state of the connection. */
type ConnectionState =
  | { readonly kind: 'connecting'; readonly since: number; readonly problem: string | null }
  | { readonly kind: 'connected'; readonly since: number; readonly server: string };

interface KeepOptions {
  readonly settings: FleetSettings;
  readonly secrets: FleetSecrets;
  /** Works with a session and returns when its signal aborts; an error ends the session. */
  work(session: FleetSession): Promise<void>;
  /** For tests. */
  open?: typeof openConnection;
}

export interface KeptConnection {
  state(): ConnectionState;
  /** Resolves once nothing is sent any more. */
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 250;

/** Stays connected: reconnects whenever a connection fails or ends. */
export function keepConnected({
  settings,
  secrets,
  work,
  open = openConnection,
}: KeepOptions): KeptConnection {
  const stop = new AbortController();
  let state: ConnectionState = { kind: 'connecting', since: Date.now(), problem: null };

  const connecting = (problem: string | null) => {
    const since = state.kind === 'connecting' ? state.since : Date.now();
    state = { kind: 'connecting', since, problem };
  };

  async function once(): Promise<void> {
    const parts = await orAborted(open(settings, secrets), stop.signal);
    if (parts === null) return;
    state = { kind: 'connected', since: Date.now(), server: parts.nats.getServer() };
    await runSession(parts, work, stop.signal);
  }

  async function run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!stop.signal.aborted) {
      const problem = await once().then(() => null, messageOf);
      const lasted = state.kind === 'connected' ? Date.now() - state.since : 0;
      connecting(problem ?? 'the connection was closed');
      waitMs = nextWait(waitMs, lasted);
      await waitUpTo(waitMs, stop.signal);
    }
  }

  const ended = run();
  return {
    state: () => state,
    close: () => {
      stop.abort();
      return ended;
    },
  };
}

/**
 * Wait before the next attempt, up to half a minute. It grows with each failure, and with a server that ends each
 * session early. A session that lasted longer than the previous wait resets it, so that a server that is occasionally
 * unavailable is found again quickly.
 * @param lasted 0 if there was no session
 */
export function nextWait(waitMs: number, lasted: number): number {
  if (lasted > waitMs) return FIRST_WAIT_MS;
  return lasted > FIRST_WAIT_MS ? waitMs : Math.min(waitMs * 2, LONGEST_RETRY_MS);
}

/** Null if the signal aborts first, so that a silent server blocks nothing; a session that opens late is closed. */
async function orAborted(
  opening: Promise<Omit<FleetSession, 'signal'>>,
  signal: AbortSignal,
): Promise<Omit<FleetSession, 'signal'> | null> {
  const stop = new AbortController();
  const aborted = waitFor(LONGEST_RETRY_MS, AbortSignal.any([signal, stop.signal])).then(() => null);
  const first = await Promise.race([opening, aborted]).finally(() => stop.abort());
  if (first === null) void opening.then(({ nats }) => nats.close()).catch(() => {});
  return first;
}

async function runSession(
  parts: Omit<FleetSession, 'signal'>,
  work: KeepOptions['work'],
  stopped: AbortSignal,
): Promise<void> {
  const end = new AbortController();
  const stop = () => {
    end.abort();
    // Pending requests to the server are rejected at once.
    void parts.nats.close().catch(() => {});
  };
  stopped.addEventListener('abort', stop);
  if (stopped.aborted) stop();
  const closed = parts.nats.closed().then((error) => {
    end.abort();
    if (error) throw error;
  });
  const worked = work({ ...parts, signal: end.signal }).finally(stop);
  // Waits for both, because nothing may still run after the session ended.
  const outcomes = await Promise.allSettled([closed, worked]);
  stopped.removeEventListener('abort', stop);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
