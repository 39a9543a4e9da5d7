import { createServer, type IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Connect, ConnectionEvents } from '../../../../src/agents/codex/app-server/connect.ts';
import { type Envelope, readEnvelope } from '../../../../src/agents/codex/app-server/peer.ts';
import { type NativeAnswer, type NativeCall, PASSTHROUGH } from '../../../../src/model/native.ts';

/** Someone at the other end, over whatever connection. */
interface Visitor {
  send(text: string): void;
  close(): void;
}

/** A stand-in for the app-server: answers as configured and remembers what it received. */
export class FakeServer {
  readonly received: Envelope[] = [];
  /** What requests are answered with, by method; others get an error. */
  readonly answers = new Map<string, unknown>([['initialize', { userAgent: 'fake' }]]);
  /** Number of connections so far. */
  connections = 0;
  readonly #visitors = new Set<Visitor>();
  readonly #waiting: { fits(message: Envelope): boolean; found(message: Envelope): void }[] = [];

  /** For code that takes a way to connect. */
  readonly connect: Connect = async (events: ConnectionEvents) => {
    const visitor: Visitor = {
      send: (text) => queueMicrotask(() => events.message(text)),
      close: () => {
        if (this.#visitors.delete(visitor)) events.closed('the fake has gone');
      },
    };
    const receive = this.visit(visitor);
    return { send: receive, close: visitor.close };
  };

  /** Connects a client; returns what takes its messages. */
  visit(visitor: Visitor): (text: string) => void {
    this.#visitors.add(visitor);
    this.connections += 1;
    return (text) => this.#receive(text, visitor);
  }

  /** To all clients. */
  send(message: unknown): void {
    for (const visitor of this.#visitors) visitor.send(JSON.stringify(message));
  }

  /** Resolves with the next message that fits, or with an earlier one. */
  receives(fits: (message: Envelope) => boolean): Promise<Envelope> {
    return new Promise((resolve) => {
      const before = this.received.find(fits);
      if (before) resolve(before);
      else this.#waiting.push({ fits, found: resolve });
    });
  }

  /** Ends all connections, as a restart does. */
  drop(): void {
    for (const visitor of [...this.#visitors]) visitor.close();
    this.#visitors.clear();
  }

  #receive(text: string, visitor: Visitor): void {
    const message = readEnvelope(text);
    if (message === null) throw new Error(`not a message: ${text}`);
    const { id, method } = message;
    if (id !== undefined && method !== undefined) {
      const known = this.answers.has(method);
      const error = { code: -32600, message: `no answer to ${method}` };
      visitor.send(JSON.stringify(known ? { id, result: this.answers.get(method) } : { id, error }));
    }
    this.received.push(message);
    for (const one of [...this.#waiting]) if (one.fits(message)) one.found(message);
  }
}

/** The fake on a real socket: a port of loopback, or a path. */
export async function listen(
  fake: FakeServer,
  where: { readonly path: string } | { readonly token: string | null },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer();
  const token = 'token' in where ? where.token : null;
  const sockets = new WebSocketServer({
    server,
    verifyClient: ({ req }: { req: IncomingMessage }) =>
      token === null || req.headers.authorization === `Bearer ${token}`,
  });
  sockets.on('connection', (socket: WebSocket) => {
    const take = fake.visit({ send: (text) => socket.send(text), close: () => socket.terminate() });
    socket.on('message', (data) => take(String(data)));
  });
  await new Promise<void>((resolve) => {
    if ('path' in where) server.listen(where.path, resolve);
    else server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url =
    'path' in where
      ? `unix://${where.path}`
      : `ws://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A Hookline that records its calls and answers as configured. */
export function createFakeHub(
  answer: (call: NativeCall) => NativeAnswer | Promise<NativeAnswer> = () => PASSTHROUGH,
) {
  const calls: NativeCall[] = [];
  const problems: string[] = [];
  return {
    calls,
    problems,
    parts: {
      call: async (call: NativeCall) => {
        calls.push(call);
        return await answer(call);
      },
      newId: () => `id-${calls.length + 1}`,
      now: () => 1_794_768_179_000 + calls.length,
      problem: (message: string) => {
        problems.push(message);
      },
      client: { name: 'hookline', title: 'Hookline', version: '0.0.0' },
    },
  };
}

export const THREAD = {
  id: '01a1e085-0ed4-76d3-ad2a-51581a17ea04',
  sessionId: '01a1e085-0ed4-76d3-ad2a-51581a17ea04',
  cwd: '/home/dev/shop',
  ephemeral: false,
};

/** A request for approval of a command, as 0.166.0 sends it. */
export function commandApproval(id: number, command = 'touch a', itemId = `call_${id}`) {
  return {
    method: 'item/commandExecution/requestApproval',
    id,
    params: {
      kind: 'command',
      threadId: THREAD.id,
      turnId: 'turn-1',
      itemId,
      startedAtMs: 1_794_768_179_058,
      environmentId: 'local',
      reason: null,
      command: `/bin/bash -lc '${command}'`,
      cwd: THREAD.cwd,
      proposedExecpolicyAmendment: command.split(' '),
    },
  };
}

export const ASKED = commandApproval(0).method;

/** A Hookline that takes its time to decide an approval. */
export function thinking() {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let answer: (given: NativeAnswer) => void = () => {};
  const decided = new Promise<NativeAnswer>((resolve) => {
    answer = resolve;
  });
  const decide = ({ event }: NativeCall) => {
    if (event !== ASKED) return PASSTHROUGH;
    begin();
    return decided;
  };
  return { begun, answer, decide };
}
