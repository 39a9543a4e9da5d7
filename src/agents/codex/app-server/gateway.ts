import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { WebSocket, WebSocketServer } from 'ws';
import { messageOf } from '../../../model/errors.ts';
import { type Approvals, createApprovals } from './approvals.ts';
import type { Connect, Connection } from './connect.ts';
import { createObserver, type Observer } from './observer.ts';
import { type Envelope, readEnvelope, type ServerRequest } from './peer.ts';
import type { ObserverParts } from './thread-observer.ts';
import { asksApproval, PARAMS, read } from './wire.ts';

interface Gateway {
  close(): Promise<void>;
}

/** Requests of a client that set how much is asked about. */
const SETS_POLICY: ReadonlySet<string> = new Set([
  'thread/start',
  'thread/resume',
  'thread/fork',
  'turn/start',
  'thread/settings/update',
  'turn/settings/update',
]);

/** How long an approval is kept from the client: rules answer at once, so it isn't shown for calls that they decide. */
const SHOWN_AFTER_MS = 500;
const shortly = () => pause(SHOWN_AFTER_MS, undefined, { ref: false });

/**
 * Stands between a client and a server of ours, on a Unix socket. Codex asks about every command and every patch,
 * whatever the client's settings are: `untrusted` is no longer taken from settings (0.166.0), only from requests.
 * Hookline is asked first, and the client gets the requests that Hookline does not decide, or not yet: then the first
 * answer counts, wherever it is given.
 */
export async function serveGateway(
  socketPath: string,
  connect: Connect,
  parts: Omit<ObserverParts, 'ask'>,
  soon: () => Promise<unknown> = shortly,
): Promise<Gateway> {
  const server = createServer();
  const clients = new WebSocketServer({ server, perMessageDeflate: false });
  clients.on('connection', (client) => void relay(client, connect, { ...parts, soon }));
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

async function relay(client: WebSocket, connect: Connect, parts: RelayParts): Promise<void> {
  const relayed = new RelayedClient(client, parts);
  client.on('error', () => client.terminate());
  try {
    await relayed.open(connect);
  } catch (error) {
    parts.problem(`the app-server does not answer: ${messageOf(error)}`);
    client.close(1011, 'the app-server does not answer');
  }
}

interface RelayParts extends Omit<ObserverParts, 'ask'> {
  /** Resolves when a request that is still undecided is shown to the client. */
  soon(): Promise<unknown>;
}

/** One client and its connection to the server. */
class RelayedClient {
  readonly #client: WebSocket;
  readonly #soon: () => Promise<unknown>;
  readonly #own: OwnRequests;
  readonly #observer: Observer;
  readonly #approvals: Approvals;
  /** Messages of the client that came before the server was there. */
  readonly #early: string[] = [];
  #server: Connection | null = null;

  constructor(client: WebSocket, { soon, ...parts }: RelayParts) {
    this.#client = client;
    this.#soon = soon;
    this.#own = new OwnRequests((text) => this.#server?.send(text));
    this.#observer = createObserver({
      ...parts,
      ask: (method, params) => this.#own.ask(method, params),
    });
    this.#approvals = createApprovals(this.#observer.decide);
    client.on('message', (data) => this.#fromClient(String(data)));
  }

  async open(connect: Connect): Promise<void> {
    const opened = await connect({
      message: (text) => this.#fromServer(text),
      closed: () => this.#client.close(),
    });
    const leave = () => this.#observer.ended().finally(() => opened.close());
    this.#client.on('close', leave);
    if (this.#client.readyState !== WebSocket.OPEN) void leave();
    this.#server = opened;
    for (const text of this.#early) opened.send(withPolicy(text));
  }

  #fromClient(text: string): void {
    if (this.#server === null) this.#early.push(text);
    else this.#server.send(withPolicy(text));
    // The client has answered, so the approval on our side ends.
    const { id, method } = readEnvelope(text) ?? {};
    if (method === undefined) this.#approvals.resolved(id);
  }

  #fromServer(text: string): void {
    const message = readEnvelope(text);
    if (message !== null && this.#own.settled(message)) return;
    const { id, method, params } = message ?? {};
    if (id !== undefined && method !== undefined && asksApproval(method)) {
      void this.#approve(text, { id, method, params });
      return;
    }
    if (method === 'serverRequest/resolved')
      this.#approvals.resolved(read(PARAMS.resolved, params)?.requestId);
    if (method !== undefined && id === undefined) this.#observer.notification(method, params);
    this.#toClient(text);
  }

  async #approve(text: string, request: ServerRequest): Promise<void> {
    let shown = false;
    let done = false;
    const show = () => {
      if (!shown && !done) this.#toClient(text);
      shown = true;
    };
    void this.#soon().then(show);
    await this.#approvals.take(request, (result) => {
      if (result === null) show();
      else this.#server?.send(JSON.stringify({ id: request.id, result }));
    });
    done = true;
  }

  #toClient(text: string): void {
    if (this.#client.readyState === WebSocket.OPEN) this.#client.send(text);
  }
}

const request = v.looseObject({ method: v.string(), params: v.looseObject({}) });

/** The client's message, with the policy that lets us see every command. */
function withPolicy(text: string): string {
  const message = v.safeParse(v.pipe(v.string(), v.parseJson(), request), text);
  if (!message.success || !SETS_POLICY.has(message.output.method)) return text;
  // A reviewer of Codex's own would answer before us.
  const params = { ...message.output.params, approvalPolicy: 'untrusted', approvalsReviewer: 'user' };
  return JSON.stringify({ ...message.output, params });
}

const ID_PREFIX = 'hookline-';
const GIVE_UP_MS = 10_000;

/** Our own requests on a connection that is the client's. */
class OwnRequests {
  readonly #waiting = new Map<string, (message: Envelope) => void>();
  readonly #send: (text: string) => void;
  #last = 0;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  ask(method: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      const id = `${ID_PREFIX}${this.#last}`;
      const late = setTimeout(() => reject(new Error(`${method} was not answered`)), GIVE_UP_MS);
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(late);
        if (error) reject(new Error(error.message));
        else resolve(result);
      });
      this.#send(JSON.stringify({ method, id, params }));
    });
  }

  /** True when the message answers one of ours, and is not for the client. */
  settled(message: Envelope): boolean {
    if (message.method !== undefined || typeof message.id !== 'string') return false;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
    return message.id.startsWith(ID_PREFIX);
  }
}
