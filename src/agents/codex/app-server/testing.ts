import { createServer, type IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { NativeAnswer, NativeCall } from '../../agent.ts';
import { PASSTHROUGH } from '../../agent.ts';
import type { Connect, LineEvents } from './connect.ts';
import { type Envelope, readEnvelope } from './peer.ts';

/** A stand-in for the app-server: answers what it was told to and remembers what it heard. */
export interface FakeServer {
  /** For code that takes a way to connect. */
  readonly connect: Connect;
  readonly heard: readonly Envelope[];
  /** How often somebody has connected. */
  readonly connections: number;
  /** To everybody. */
  send(message: unknown): void;
  /** Resolves with the next message that fits, or with one that was heard before. */
  hears(fits: (message: Envelope) => boolean): Promise<Envelope>;
  /** Ends all connections, as a restart does. */
  drop(): void;
  /** What requests are answered with, by method; the rest gets an error. */
  readonly answers: Map<string, unknown>;
}

/** Someone at the other end, over whatever line. */
export interface Visitor {
  send(text: string): void;
  close(): void;
}

export function createFakeServer(): FakeServer & { visit(visitor: Visitor): (text: string) => void } {
  const visitors = new Set<Visitor>();
  const heard: Envelope[] = [];
  const waiting: { fits(message: Envelope): boolean; found(message: Envelope): void }[] = [];
  const answers = new Map<string, unknown>([['initialize', { userAgent: 'fake' }]]);
  let connections = 0;

  function visit(visitor: Visitor): (text: string) => void {
    visitors.add(visitor);
    connections += 1;
    return (text) => {
      const message = readEnvelope(text);
      if (message === null) throw new Error(`not a message: ${text}`);
      const { id, method } = message;
      if (id !== undefined && method !== undefined) {
        const known = answers.has(method);
        const error = { code: -32600, message: `no answer to ${method}` };
        visitor.send(JSON.stringify(known ? { id, result: answers.get(method) } : { id, error }));
      }
      heard.push(message);
      for (const one of [...waiting]) if (one.fits(message)) one.found(message);
    };
  }
  const connect: Connect = async (events: LineEvents) => {
    const visitor: Visitor = {
      send: (text) => queueMicrotask(() => events.message(text)),
      close: () => {
        if (visitors.delete(visitor)) events.closed('the fake has gone');
      },
    };
    const take = visit(visitor);
    return { send: take, close: visitor.close };
  };
  return {
    connect,
    visit,
    heard,
    answers,
    get connections() {
      return connections;
    },
    send: (message) => {
      for (const visitor of visitors) visitor.send(JSON.stringify(message));
    },
    hears: (fits) =>
      new Promise((resolve) => {
        const before = heard.find(fits);
        if (before) resolve(before);
        else waiting.push({ fits, found: resolve });
      }),
    drop: () => {
      for (const visitor of [...visitors]) visitor.close();
      visitors.clear();
    },
  };
}

/** The fake on a real socket: a port of loopback, or a path. */
export async function listen(
  fake: ReturnType<typeof createFakeServer>,
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

/** A Hookline that writes down what it is asked and answers as it was told. */
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

/** A question about a command, as 0.166.0 puts it. */
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

/** A Hookline that takes its time over an approval. */
export function thinking() {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let answer: (given: NativeAnswer) => void = () => {};
  const decided = new Promise<NativeAnswer>((resolve) => {
    answer = resolve;
  });
  const judge = ({ event }: NativeCall) => {
    if (event !== ASKED) return PASSTHROUGH;
    begin();
    return decided;
  };
  return { begun, answer, judge };
}
