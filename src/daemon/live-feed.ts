import type { IncomingMessage, Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ShownApproval } from '../approvals/approval.ts';
import { type EventBrief, toBrief } from '../history/calls/event-brief.ts';
import type { Alert } from '../model/alert.ts';
import type { AwayState } from '../model/people/away.ts';
import { redact } from '../redact/redact.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import type { CallHandler } from './call-handler.ts';
import { unlockedUntil } from './unlock.ts';

/** Limit of unread data for a slow observer. */
const MAX_UNREAD_BYTES = 16 << 20;

/** A message of the live feed: a stored event, or an approval that was created or ended. */
type FeedMessage =
  | { readonly event: StoredEvent }
  /** The same for clients that only list events. */
  | { readonly brief: EventBrief }
  | { readonly approval: ShownApproval }
  /** Protected rules were paused, or apply again. */
  | { readonly unlockedUntil: string | null }
  /** Away mode began or ended. */
  | { readonly away: AwayState | null }
  /** All current problems of the home. */
  | { readonly alerts: readonly Alert[] };

/** A follower of the feed, and what it may see. */
interface Follower {
  sees(of: { readonly projectId: string | null }): boolean;
  /** True if it also sees what concerns the home and no project. */
  readonly seesHome: boolean;
  /** Including approvals of other machines. */
  readonly seesFleet: boolean;
  /** Called with the function that ends it. Returns what to call when it has ended. */
  opened?(end: () => void): () => void;
}

/** The user of this machine. */
export const SEES_ALL: Follower = { sees: () => true, seesHome: true, seesFleet: true };

export function serveFeed(
  server: Server | TlsServer,
  hub: CallHandler,
  admitted: (request: IncomingMessage) => Follower | null,
): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // From here on, the HTTP server no longer handles errors of the connection.
    socket.on('error', () => socket.destroy());
    // Doesn't use URL, which throws on invalid input.
    const [pathname, query = ''] = (request.url ?? '/').split('?', 2);
    const searchParams = new URLSearchParams(query);
    const follower = pathname === '/api/feed' ? admitted(request) : null;
    if (follower === null) {
      // The other end could keep its half of the connection open forever.
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n', () => socket.destroy());
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      follow(hub, client, searchParams, follower);
    });
  });
  return sockets;
}

function follow(
  { feed, approvals, unlock, away, alerts }: CallHandler,
  client: WebSocket,
  options: URLSearchParams,
  { sees, seesHome, seesFleet, opened }: Follower,
): void {
  const isBrief = options.has('brief');
  const endings = [
    feed.subscribe((event) => {
      if (sees(event)) tell(client, isBrief ? { brief: toBrief(event) } : { event });
    }),
    approvals.queue.subscribe((approval) => {
      if (sees(approval)) tell(client, { approval: approvals.shown(approval) });
    }),
    unlock.subscribe(() => tell(client, { unlockedUntil: unlockedUntil(unlock) })),
    away.subscribe(() => tell(client, { away: away.now() })),
    ...(seesFleet ? [approvals.remote.subscribe((approval) => tell(client, { approval }))] : []),
    ...(seesHome ? [alerts.subscribe(() => tell(client, { alerts: alerts.list() }))] : []),
    // Only a surface can answer: a script that just listens keeps no approval pending.
    ...(options.has('surface') ? [approvals.attach(sees)] : []),
    ...(opened ? [opened(() => client.terminate())] : []),
  ];
  const stop = () => {
    for (const end of endings.splice(0)) end();
  };
  client.on('close', stop);
  client.on('error', stop);
}

function tell(client: WebSocket, message: FeedMessage): void {
  if (client.bufferedAmount > MAX_UNREAD_BYTES) client.terminate();
  else client.send(redact(JSON.stringify(message)));
}
