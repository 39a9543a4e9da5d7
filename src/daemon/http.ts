import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { WebSocketServer } from 'ws';
import { HooklineError } from '../model/errors.ts';
import { createHttpApp } from './http-app.ts';
import { serveFeed } from './live-feed.ts';
import type { Daemon } from './run.ts';
import type { Listener } from './socket.ts';
import { bearer, sameToken } from './token.ts';
import type { WebAccess } from './web-access.ts';
import { isSocketFromPage } from './web-gate.ts';

/** How long a connection that is in the middle of something may hold up a stop. */
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
  const port = await listen(server, daemon.home.config.http.port);
  hosts = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
  const feed = serveFeed(server, daemon.hub, (request) => {
    if (!isServed(request.headers.host)) return false;
    if (request.headers.origin !== undefined) return isSocketFromPage(request, access);
    return sameToken(bearer(request.headers.authorization), token);
  });
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server, feed) };
}

/** Resolves when those under way are answered, or were given time enough. */
export function closeServer(server: Server, feed: WebSocketServer): Promise<void> {
  return new Promise((resolve) => {
    const grace = setTimeout(() => {
      server.closeAllConnections();
      for (const client of feed.clients) client.terminate();
    }, CLOSE_GRACE_MS);
    // One that is answered from now on is kept alive by its client, and idle only then.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
    server.close(() => {
      clearTimeout(grace);
      clearInterval(sweep);
      resolve();
    });
    for (const client of feed.clients) client.close(1001, 'the daemon stops');
  });
}

async function listen(server: Server, wanted: number): Promise<number> {
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
  const port = (await attempt(wanted)) ?? (await attempt(0));
  if (port === null) throw new HooklineError('DAEMON_START', 'No loopback port is free.');
  return port;
}
