import { createServer, type Socket } from 'node:net';
import { withStatCache } from '../platform/stat-cache.ts';
import { FIRST_REPLY_MS, MAX_REQUEST_BYTES } from '../wire/limits.ts';
import { createLineReader } from '../wire/lines.ts';
import {
  type Accepts,
  type ParsedRequest,
  parseRequest,
  type Reply,
  type Request,
} from '../wire/protocol.ts';
import { createWhenBusy, type WhenBusy } from './busy.ts';
import { listenOnSocket } from './listen.ts';
import { createTurns, type Turns } from './turns.ts';

/** Something that listens, until it is closed. */
export interface Listener {
  /** Takes no new calls; resolves when those under way are answered. */
  close(): Promise<void>;
  /** Listens again where nobody can find it any more. */
  heal?(): Promise<boolean>;
}

/** Who answers what comes in. */
interface RequestHandler {
  request(request: Request, hold: (ms: number) => void): Promise<Reply>;
  /** The other end has gone before it had its answer. */
  abandon(requestId: string): void;
  /** Reads a line that takes long beside the work; what cannot be read there is read here. */
  readLarge?(line: Uint8Array): Promise<ParsedRequest>;
}

/** A smaller line is read in less time than a checkpoint takes. */
const LARGE_LINE_BYTES = 256 << 10;

/** Serves NDJSON on a Unix socket that only this user can reach. */
export async function serveSocket(path: string, handler: RequestHandler): Promise<Listener> {
  const connections = new Set<Connection>();
  const turns = createTurns<Socket>({ around: withStatCache, hasOthers: () => connections.size > 1 });
  const whenBusy = createWhenBusy(BUSY_AFTER_MS);
  // Half open, so that the end of a connection does not cost another message to the one who has gone.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    turns.stir();
    const connection = serveConnection(socket, handler, { turns, whenBusy });
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  const { heal } = await listenOnSocket(server, path);
  return {
    heal,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.finish();
      }),
  };
}

interface Connection {
  /** Ends the connection once what it asked is answered. */
  finish(): void;
}

/** What all connections share. */
interface Shared {
  readonly turns: Turns<Socket>;
  readonly whenBusy: WhenBusy;
}

function serveConnection(socket: Socket, handler: RequestHandler, { turns, whenBusy }: Shared): Connection {
  const open = new Set<string>();
  let queued = 0;
  let finishing = false;
  const send = (reply: Reply) => {
    if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
  };
  // Not end(): that would wait for the other side to hang up too.
  const finishIfDone = () => {
    if (finishing && open.size + queued === 0) socket.destroySoon();
  };

  async function reply(parsed: ParsedRequest): Promise<void> {
    if (!parsed.ok) {
      send(refusalOf(parsed));
      finishIfDone();
      return;
    }
    const { call, accepts } = parsed.request;
    const { id } = call;
    open.add(id);
    // It hung up before its turn came. Whoever is asked about the call by then is let off again.
    if (socket.destroyed) setImmediate(() => handler.abandon(id));
    const wait = holding(accepts, whenBusy, (ms) => send({ request_id: id, hold_ms: ms }));
    send(await handler.request(parsed.request, wait.hold).finally(wait.stop));
    open.delete(id);
    finishIfDone();
  }

  socket.on('error', () => socket.destroy());
  socket.on('end', () => (socket.writableLength === 0 ? socket.destroy() : socket.destroySoon()));
  socket.on('close', () => {
    for (const id of open) handler.abandon(id);
  });
  readLines(socket, (line) => {
    queued += 1;
    readRequest(line, handler, (read) =>
      turns.add(socket, () => {
        queued -= 1;
        void reply(read());
      }),
    );
  });
  return {
    finish() {
      finishing = true;
      finishIfDone();
    },
  };
}

function refusalOf({ requestId, message }: ParsedRequest & { readonly ok: false }): Reply {
  return { request_id: requestId, ts: Date.now(), error: { code: 'USAGE', message } };
}

/** A small line is read when its turn comes, a large one before. */
function readRequest(
  line: Buffer,
  { readLarge }: RequestHandler,
  then: (read: () => ParsedRequest) => void,
): void {
  const readHere = () => then(() => parseRequest(line.toString('utf8')));
  if (line.length < LARGE_LINE_BYTES || !readLarge) readHere();
  else readLarge(line).then((parsed) => then(() => parsed), readHere);
}

const BUSY_AFTER_MS = 100;

/** A forwarder that hears nothing takes the daemon for hung, and judges by itself: one that is only busy says so. */
function holding(
  accepts: Accepts,
  whenBusy: WhenBusy,
  hold: (ms: number) => void,
): { readonly hold: (ms: number) => void; stop(): void } {
  const stop = accepts.hold || accepts.busy ? whenBusy(() => hold(FIRST_REPLY_MS)) : () => {};
  return {
    stop,
    hold(ms) {
      stop();
      hold(ms);
    },
  };
}

function readLines(socket: Socket, onLine: (line: Buffer) => void): void {
  const read = createLineReader(
    MAX_REQUEST_BYTES,
    (line) => {
      if (!line.every(isSpace)) onLine(line);
    },
    // A forwarder never sends this much; whoever does gets no more of our memory.
    () => socket.destroy(),
  );
  socket.on('data', read);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
