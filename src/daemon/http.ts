import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import * as v from 'valibot';
import type { WebSocketServer } from 'ws';
import type { OpenHome } from '../home/open.ts';
import { HooklineError } from '../model/errors.ts';
import { readIfExists, writePrivateFile } from '../platform/files.ts';
import { isSameSecret } from '../platform/secrets.ts';
import type { WebAccess } from './http/browser-access.ts';
import { isSocketFromPage } from './http/gate.ts';
import { bearer } from './http/token.ts';
import { createHttpApp } from './http-app.ts';
import { SEES_ALL, serveFeed } from './live-feed.ts';
import type { Daemon } from './run-daemon.ts';
import type { Listener } from './socket/socket.ts';

/** How long a busy connection may delay a stop. */
const CLOSE_GRACE_MS = 2_000;
const SWEEP_EVERY_MS = 20;

/** The loopback server: hooks over HTTP, and the dashboard with its API and live feed. */
export async function serveHttp(
  daemon: Daemon,
  token: string,
  access: WebAccess,
): Promise<Listener & { url: string }> {
  let hosts: ReadonlySet<string> = new Set();
  const isServed = (host: string | undefined) => hosts.has(host ?? '');
  const app = createHttpApp(daemon, { token, access, isServed });
  const server = createAdaptorServer({ fetch: app.fetch });
  if (!('requestTimeout' in server)) throw new Error('the HTTP adapter gave no plain HTTP server');
  const sockets = openSockets(server);
  const port = await listenAsBefore(server, daemon.home);
  hosts = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
  const feed = serveFeed(server, daemon.hub, (request) => {
    if (!isServed(request.headers.host)) return null;
    const isIn =
      request.headers.origin === undefined
        ? isSameSecret(bearer(request.headers.authorization), token)
        : isSocketFromPage(request, access);
    return isIn ? SEES_ALL : null;
  });
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server, feed, sockets) };
}

/** Every connection, also those that an HTTP server knows nothing of: before TLS has begun, and after an upgrade. */
export function openSockets(server: Server | TlsServer): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  const add = (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  server.on('connection', add);
  return open;
}

/** Resolves once requests in progress are answered or their grace period is over. */
export function closeServer(
  server: Server | TlsServer,
  feed: WebSocketServer,
  sockets: ReadonlySet<Socket>,
): Promise<void> {
  return new Promise((resolve) => {
    const grace = setTimeout(() => {
      server.closeAllConnections();
      for (const client of feed.clients) client.terminate();
      for (const socket of [...sockets]) socket.destroy();
    }, CLOSE_GRACE_MS);
    // A connection answered from now on is kept alive by its client, and idle only later.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
    server.close(() => {
      clearTimeout(grace);
      clearInterval(sweep);
      resolve();
    });
    for (const client of feed.clients) client.close(1001, 'the daemon stops');
  });
}

const noted = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ wanted: v.number(), port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535)) }),
);

/**
 * Reuses the port of the last daemon, so that the dashboard's address stays the same, unless the settings name
 * another.
 */
async function listenAsBefore(server: Server, { config, paths }: OpenHome): Promise<number> {
  const wanted = config.http.port;
  const last = v.safeParse(noted, readIfExists(paths.port));
  const before = last.success && last.output.wanted === wanted ? [last.output.port] : [];
  const port = await listen(server, [...before, wanted, 0]);
  writePrivateFile(paths.port, JSON.stringify({ wanted, port }));
  return port;
}

/** Listens on the first free port; 0 means any. */
async function listen(server: Server, ports: readonly number[]): Promise<number> {
  const attempt = (port: number) =>
    new Promise<number | null>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
      );
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  for (const port of new Set(ports)) {
    const found = await attempt(port);
    if (found !== null) return found;
  }
  throw new HooklineError('DAEMON_START', 'No loopback port is free.');
}
