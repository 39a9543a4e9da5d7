import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Approval } from '../approvals/approval.ts';
import { classify, describeProblem, MAX_PAYLOAD_BYTES } from '../forwarder/payload.ts';
import { HooklineError } from '../model/errors.ts';
import { redact } from '../observe/redact.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { type EventBrief, toBrief } from '../view/event-brief.ts';
import { apiRoutes } from './api.ts';
import type { Daemon } from './run.ts';
import type { Listener } from './socket.ts';
import { sameToken } from './token.ts';
import { passRoutes, webRoutes } from './web.ts';
import { createWebAccess } from './web-access.ts';
import { webApiRoutes } from './web-api.ts';
import { EVERYWHERE, isFromPage, isSocketFromPage } from './web-gate.ts';

const MAX_QUERY_BYTES = 1 << 20;
/** What may wait for an observer that does not read. */
const MAX_UNREAD_BYTES = 16 << 20;
/** How long a connection that is in the middle of something may hold up a stop. */
const CLOSE_GRACE_MS = 2_000;
const SWEEP_EVERY_MS = 20;

/** The loopback server: hooks over HTTP, the API, and the live feed. */
export async function serveHttp(daemon: Daemon, token: string): Promise<Listener & { url: string }> {
  const { config, log } = daemon.home;
  const app = new Hono();
  const access = createWebAccess();
  let hosts: ReadonlySet<string> = new Set();

  app.use(async (c, next) => {
    // A page that rebinds its own name to 127.0.0.1 still sends its own name here.
    if (!hosts.has(c.req.header('host') ?? ''))
      return c.json(refusal('USAGE', 'This host name is not served.'), 403, EVERYWHERE);
    await next();
  });
  app.route('/', webRoutes(access));
  app.use(async (c, next) => {
    // Scripts send no Origin; a page in a browser cannot help sending one.
    const open =
      config.http.hooksWithoutToken &&
      c.req.path.startsWith('/hooks/') &&
      c.req.header('origin') === undefined;
    const admitted = open || sameToken(bearer(c.req.header('authorization')), token) || isFromPage(c, access);
    if (!admitted) {
      return c.json(
        refusal('USAGE', 'A bearer token is needed; `hookline status --json` tells where it is.'),
        401,
        EVERYWHERE,
      );
    }
    await next();
    for (const [name, value] of Object.entries(EVERYWHERE)) c.header(name, value);
  });
  app.onError((error, c) => {
    const known = error instanceof HooklineError;
    if (!known) log('error', error.message, { path: c.req.path });
    const status =
      known && (error.code === 'NOT_FOUND' || error.code === 'AGENT_UNKNOWN') ? 404 : known ? 400 : 500;
    return c.json(refusal(known ? error.code : 'INTERNAL', error.message, known ? error.hint : null), status);
  });

  app.notFound((c) => c.json(refusal('NOT_FOUND', `There is nothing at ${c.req.path}.`), 404));

  app.post('/hooks/:agent', async (c) => {
    const { bytes, total } = await readBody(c.req.raw.body);
    const { payload: body, problem } = classify(bytes);
    const { event, payload } = unwrap(body);
    const answer = await daemon.hub.call({
      id: `${Date.now()}-${randomBytes(8).toString('hex')}`,
      receivedAt: Date.now(),
      agent: c.req.param('agent'),
      event,
      env: {},
      payload,
      problem: problem && describeProblem(problem, total),
    });
    if (answer.action === 'json_output') return c.json(answer.stdout_json);
    // There is no exit code over HTTP; an empty object is no opinion for every client that calls hooks this way.
    return c.json(answer.action === 'passthrough' ? {} : { decision: 'block', reason: answer.stderr });
  });
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: MAX_QUERY_BYTES,
      onError: (c) => c.json(refusal('USAGE', 'The body is too large.'), 413),
    }),
  );
  app.route('/api', apiRoutes(daemon));
  app.route('/api', passRoutes(access));
  app.route('/api', webApiRoutes(daemon));

  const server = createAdaptorServer({ fetch: app.fetch });
  if (!('requestTimeout' in server)) throw new Error('the HTTP adapter gave no plain HTTP server');
  const port = await listen(server, config.http.port);
  hosts = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
  const feed = serveFeed(server, daemon, (request) => {
    if (!hosts.has(request.headers.host ?? '')) return false;
    if (request.headers.origin !== undefined) return isSocketFromPage(request, access);
    return sameToken(bearer(request.headers.authorization), token);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        const patience = setTimeout(() => {
          server.closeAllConnections();
          for (const client of feed.clients) client.terminate();
        }, CLOSE_GRACE_MS);
        // One that is answered from now on is kept alive by its client, and idle only then.
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
        server.close(() => {
          clearTimeout(patience);
          clearInterval(sweep);
          resolve();
        });
        for (const client of feed.clients) client.close(1001, 'the daemon stops');
      }),
  };
}

/** To the end, whatever the size: a call that is refused for its size would be one that nobody judged. */
async function readBody(
  body: ReadableStream<Uint8Array> | null,
): Promise<{ readonly bytes: Buffer; readonly total: number }> {
  const kept: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of body ?? []) {
    // One byte too many is enough to see that it is too large.
    const room = MAX_PAYLOAD_BYTES + 1 - total;
    if (room > 0) kept.push(chunk.subarray(0, room));
    total += chunk.length;
  }
  return { bytes: Buffer.concat(kept), total };
}

/** The agent's own payload, or the wrapper that dispatcher scripts send around it. */
function unwrap(body: unknown): { event: string | null; payload: unknown } {
  if (typeof body !== 'object' || body === null || !('hook_type' in body) || !('input_data' in body)) {
    return { event: null, payload: body };
  }
  return { event: typeof body.hook_type === 'string' ? body.hook_type : null, payload: body.input_data };
}

/** What the live feed tells: an event that was stored, or an approval that came or ended. */
export type FeedMessage =
  | { readonly event: StoredEvent }
  /** The same for whoever only lists them. */
  | { readonly brief: EventBrief }
  | { readonly approval: Approval };

function serveFeed(
  server: Server,
  daemon: Daemon,
  admitted: (request: IncomingMessage) => boolean,
): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // From here on the HTTP server does not look after the connection.
    socket.on('error', () => socket.destroy());
    // Not by URL, which throws at what anybody may send.
    const [pathname, query = ''] = (request.url ?? '/').split('?', 2);
    const searchParams = new URLSearchParams(query);
    if (pathname !== '/api/feed' || !admitted(request)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const { feed, people } = daemon.hub;
      const isBrief = searchParams.has('brief');
      const endings = [
        feed.subscribe((event) => tell(client, isBrief ? { brief: toBrief(event) } : { event })),
        people.desk.subscribe((approval) => tell(client, { approval })),
        // Only who says so can answer: a script that listens is not somebody to wait for.
        ...(searchParams.has('surface') ? [people.attach()] : []),
      ];
      const stop = () => {
        for (const end of endings.splice(0)) end();
      };
      client.on('close', stop);
      client.on('error', stop);
    });
  });
  return sockets;
}

function tell(client: WebSocket, message: FeedMessage): void {
  if (client.bufferedAmount > MAX_UNREAD_BYTES) client.terminate();
  else client.send(redact(JSON.stringify(message)));
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

function bearer(header: string | undefined): string {
  return header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : '';
}

function refusal(code: string, message: string, hint: string | null = null): object {
  return { error: { code, message, hint } };
}
