import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { WebSocket, WebSocketServer } from 'ws';
import { createApprovals } from './approvals.ts';
import type { Connect, Line } from './connect.ts';
import { createObserver, type ObserverParts } from './observer.ts';
import { type Envelope, readEnvelope, type ServerRequest } from './peer.ts';
import { isApproval, PARAMS, read } from './wire.ts';

export interface Gateway {
  close(): Promise<void>;
}

/** Requests of a client that say how much is asked about. */
const SAYS_POLICY: ReadonlySet<string> = new Set([
  'thread/start',
  'thread/resume',
  'thread/fork',
  'turn/start',
  'thread/settings/update',
  'turn/settings/update',
]);

/** How long the client is not bothered with a question: rules answer at once, people need not be waited for. */
const SHOWN_AFTER_MS = 500;
const shortly = () => pause(SHOWN_AFTER_MS, undefined, { ref: false });

/**
 * Stands between a client and a server of ours, on a Unix socket. Codex asks about every command and every patch,
 * whatever the client's settings are: `untrusted` is no longer taken from settings (0.166.0), only from requests.
 * Hookline is asked first, and the client gets the questions that Hookline has no answer to, or none yet: then the
 * first answer counts, wherever it is given.
 */
export async function serveGateway(
  socketPath: string,
  connect: Connect,
  parts: Omit<ObserverParts, 'ask'>,
  soon: () => Promise<unknown> = shortly,
): Promise<Gateway> {
  const server = createServer();
  const clients = new WebSocketServer({ server, perMessageDeflate: false });
  clients.on('connection', (client) => void pass(client, connect, parts, soon));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        for (const client of clients.clients) client.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function pass(
  client: WebSocket,
  connect: Connect,
  parts: Omit<ObserverParts, 'ask'>,
  soon: () => Promise<unknown>,
): Promise<void> {
  const early: string[] = [];
  let line: Line | null = null;
  const own = createOwnRequests((text) => line?.send(text));
  const observer = createObserver({ ...parts, ask: own.ask });

  const approvals = createApprovals(observer.judge);

  async function approve(text: string, request: ServerRequest): Promise<void> {
    let shown = false;
    let over = false;
    const show = () => {
      if (!shown && !over) toClient(text);
      shown = true;
    };
    void soon().then(show);
    await approvals.take(request, (result) => {
      if (result === null) show();
      else line?.send(JSON.stringify({ id: request.id, result }));
    });
    over = true;
  }
  function toClient(text: string): void {
    if (client.readyState === WebSocket.OPEN) client.send(text);
  }

  client.on('message', (data) => {
    const text = String(data);
    if (line === null) early.push(text);
    else line.send(asked(text));
    // An answer of the client's: whoever is asked on our side is too late.
    const { id, method } = readEnvelope(text) ?? {};
    if (method === undefined) approvals.resolved(id);
  });
  client.on('error', () => client.terminate());
  try {
    const opened = await connect({
      message: (text) => {
        const message = readEnvelope(text);
        if (message === null) return toClient(text);
        if (own.settled(message)) return;
        const { id, method, params } = message;
        if (method === undefined) return toClient(text);
        if (id !== undefined && isApproval(method)) return void approve(text, { id, method, params });
        if (method === 'serverRequest/resolved') approvals.resolved(read(PARAMS.resolved, params)?.requestId);
        if (id === undefined) observer.notification(method, params);
        toClient(text);
      },
      closed: () => client.close(),
    });
    const leave = () => observer.ended().finally(() => opened.close());
    client.on('close', leave);
    if (client.readyState !== WebSocket.OPEN) void leave();
    line = opened;
    for (const text of early) opened.send(asked(text));
  } catch (error) {
    parts.problem(`the app-server does not answer: ${error instanceof Error ? error.message : error}`);
    client.close(1011, 'the app-server does not answer');
  }
}

const request = v.looseObject({ method: v.string(), params: v.looseObject({}) });

/** The client's message, with the policy that lets us see every command. */
function asked(text: string): string {
  const message = v.safeParse(v.pipe(v.string(), v.parseJson(), request), text);
  if (!message.success || !SAYS_POLICY.has(message.output.method)) return text;
  // A reviewer of Codex's own would answer before us.
  const params = { ...message.output.params, approvalPolicy: 'untrusted', approvalsReviewer: 'user' };
  return JSON.stringify({ ...message.output, params });
}

const ID_PREFIX = 'hookline-';
const GIVE_UP_MS = 10_000;

/** Our own questions on a connection that is the client's. */
function createOwnRequests(send: (text: string) => void) {
  const waiting = new Map<string, (message: Envelope) => void>();
  let last = 0;
  return {
    ask: (method: string, params: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        last += 1;
        const id = `${ID_PREFIX}${last}`;
        const late = setTimeout(() => reject(new Error(`${method} was not answered`)), GIVE_UP_MS);
        waiting.set(id, ({ result, error }) => {
          clearTimeout(late);
          if (error) reject(new Error(error.message));
          else resolve(result);
        });
        send(JSON.stringify({ method, id, params }));
      }),
    /** True when the message answers one of ours, and is not for the client. */
    settled: (message: Envelope): boolean => {
      if (message.method !== undefined || typeof message.id !== 'string') return false;
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
      return message.id.startsWith(ID_PREFIX);
    },
  };
}
