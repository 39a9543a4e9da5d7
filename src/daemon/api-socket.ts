import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { Caller } from '../model/people/access.ts';
import type { WebAccess } from './http/browser-access.ts';
import type { ApiEnv } from './http/guard.ts';
import { closeServer, openSockets } from './http.ts';
import { addApi, errorAnswer, notFound } from './http-app.ts';
import { SEES_ALL, serveFeed } from './live-feed.ts';
import type { Daemon } from './run-daemon.ts';
import { listenOnSocket } from './socket/listen.ts';
import type { PeerFinder } from './socket/peer.ts';
import type { Listener } from './socket/socket.ts';

interface SocketEnv extends ApiEnv {
  Bindings: HttpBindings;
}

/** The API for commands, on a socket that only this user can reach. It needs no token and identifies the caller. */
export async function serveApi(
  daemon: Daemon,
  path: string,
  web: WebAccess,
  peers: PeerFinder,
): Promise<Listener> {
  const app = new Hono<SocketEnv>();
  app.use(async (c, next) => {
    c.set('identify', () => identify(c, peers));
    await next();
  });
  app.onError(errorAnswer(daemon.home.log));
  app.notFound(notFound);
  addApi(app, daemon, web);
  const server = createAdaptorServer({ fetch: app.fetch });
  if (!('requestTimeout' in server)) throw new Error('the HTTP adapter gave no plain HTTP server');
  const sockets = openSockets(server);
  const { heal } = await listenOnSocket(server, path);
  const feed = serveFeed(server, daemon.hub, () => SEES_ALL);
  return { heal, close: () => closeServer(server, feed, sockets) };
}

const proof = v.pipe(v.string(), v.regex(/^\d+ [0-9a-f]+$/));

async function identify(c: Context<SocketEnv>, peers: PeerFinder) {
  const scriptKey = c.req.header('x-hookline-script-key') ?? null;
  const caller = (pid: number): Caller => ({ kind: 'process', pid, scriptKey });
  const connected = await peers.connected(c.env.incoming.socket);
  if (connected !== null) return caller(connected);
  const given = v.safeParse(proof, c.req.header('x-hookline-proof'));
  if (given.success) {
    const [pid = '', id = ''] = given.output.split(' ');
    const proven = peers.proven(id, Number(pid));
    return proven === null ? ({ kind: 'unknown', scriptKey } as const) : caller(proven);
  }
  const challenge = scriptKey === null ? peers.challenge() : null;
  return challenge
    ? ({ kind: 'challenge', ...challenge } as const)
    : ({ kind: 'unknown', scriptKey } as const);
}
