import { createServer, type Socket } from 'node:net';
import { withStatCache } from '../../platform/stat-cache.ts';
import { FIRST_REPLY_MS } from '../../wire/limits.ts';
import {
  type Accepts,
  type ParsedRequest,
  parseRequest,
  type Reply,
  type Request,
} from '../../wire/protocol.ts';
import { createBrake } from './brake.ts';
import { createSlowWorkAlert, type WhenBusy } from './busy.ts';
import { createCallBatcher, type Turns } from './call-batcher.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { EarlyHold } from './early-hold.ts';
import { createIntake, type Intake, LARGE_LINE_BYTES, type Load } from './intake.ts';
import { listenOnSocket } from './listen.ts';
import { readLines } from './request-lines.ts';

/** Something that listens, until it is closed. */
export interface Listener {
  /** Accepts no new calls; resolves once those in progress are answered. */
  close(): Promise<void>;
  /** Recreates the socket after its file was deleted. */
  heal?(): Promise<boolean>;
}

/** The sender of a request. */
export interface Caller {
  /** Announces that the answer takes this long, if the sender supports that. */
  hold(ms: number): void;
  /** Announces silence for this long, if the sender supports that. */
  busy(ms: number): void;
  /** Reports delivery: once the peer has confirmed it, or disconnected before. */
  awaitDelivery(then: (isDelivered: boolean) => void): void;
  /** Aborted when the peer disconnects, because nothing on this connection is needed any more. */
  readonly gone: () => AbortSignal;
}

/** Answers requests. */
interface RequestHandler {
  request(request: Request, caller: Caller): Promise<Reply>;
  /** Parses a large line in a worker; if that fails, it is parsed here. */
  readLarge?(line: Uint8Array): Promise<ParsedRequest>;
}

/** Serves NDJSON on a Unix socket that only this user can reach. */
export async function serveSocket(
  path: string,
  handler: RequestHandler,
  intake: Intake = createIntake(),
): Promise<Listener> {
  const connections = new Set<Connection>();
  const turns = createCallBatcher<Socket>({ around: withStatCache, hasOthers: () => connections.size > 1 });
  const busy = { begin: createSlowWorkAlert(BUSY_AFTER_MS), still: createSlowWorkAlert(FIRST_REPLY_MS / 2) };
  // Half open, so that the end of a connection doesn't cost another message to a peer that left.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    turns.noteActivity();
    const connection = serveConnection(socket, handler, { turns, busy, intake });
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
  /** Ends the connection once its requests are answered. */
  finish(): void;
}

/** State shared by all connections. */
interface Shared {
  readonly turns: Turns<Socket>;
  readonly busy: Busy;
  readonly intake: Intake;
}

/** Sends a hold after a moment, then as often as necessary. */
interface Busy {
  readonly begin: WhenBusy;
  readonly still: WhenBusy;
}

/** A fixed reason, because Node's own creates a stack trace per connection. */
const HUNG_UP = 'The caller hung up.';

function serveConnection(socket: Socket, handler: RequestHandler, shared: Shared): Connection {
  const { turns, busy, intake } = shared;
  const deliveries = createDeliveries();
  // Belongs to the connection, not to a request: a forwarder that asks again uses the same ID.
  const gone = createHangUp(deliveries.hungUp);
  let unanswered = 0;
  let finishing = false;
  const brake = createBrake(socket);
  const send = (reply: Reply) => brake.send(`${JSON.stringify(reply)}\n`);
  // Not end(), which would wait for the other side to close too.
  const finishIfDone = () => {
    if (finishing && unanswered === 0) socket.destroySoon();
  };
  const otherEnd: OtherEnd = { send, busy, gone: gone.signal, deliveries };
  socket.on('error', () => socket.destroy());
  socket.on('end', () => (socket.writableLength === 0 ? socket.destroy() : socket.destroySoon()));
  for (const end of ['end', 'close']) socket.on(end, gone.note);
  readLines(socket, { intake, brake, still: busy.still, send }, (line, load, early) => {
    if (deliveries.confirm(line)) {
      early?.stop();
      return load.end();
    }
    unanswered += 1;
    const done = brake.asked();
    const answered = () => {
      unanswered -= 1;
      done();
      load.end();
      finishIfDone();
    };
    readRequest(line, handler, (read) =>
      turns.add(socket, () => void reply(withHold(read(), early), load, handler, otherEnd).finally(answered)),
    );
  });
  return {
    finish() {
      finishing = true;
      finishIfDone();
    },
  };
}

/** The peer of a connection, for all of its requests. */
interface OtherEnd {
  readonly send: (reply: Reply) => void;
  readonly busy: Busy;
  readonly gone: Caller['gone'];
  readonly deliveries: Deliveries;
}

async function reply(
  parsed: ParsedRequest,
  load: Load,
  handler: RequestHandler,
  { send, busy, gone, deliveries }: OtherEnd,
): Promise<void> {
  if (!parsed.ok) return send(refusalOf(parsed));
  const { call, accepts } = parsed.request;
  const wait = holding(accepts, busy, (ms) => send({ request_id: call.id, hold_ms: ms }), load);
  const awaitDelivery: Caller['awaitDelivery'] = (then) => deliveries.await(call.id, then);
  const caller = { hold: wait.hold, busy: wait.busy, gone, awaitDelivery };
  send(await handler.request(parsed.request, caller).finally(wait.stop));
}

/** Tracks whether the peer disconnected. The signal is created on demand, because it is large and few calls need it. */
function createHangUp(then: () => void): { signal(): AbortSignal; note(): void } {
  let controller: AbortController | null = null;
  let isGone = false;
  return {
    signal() {
      controller ??= new AbortController();
      if (isGone) controller.abort(HUNG_UP);
      return controller.signal;
    },
    note() {
      isGone = true;
      controller?.abort(HUNG_UP);
      then();
    },
  };
}

function refusalOf({ requestId, message }: ParsedRequest & { readonly ok: false }): Reply {
  return { request_id: requestId, ts: Date.now(), error: { code: 'USAGE', message } };
}

/**
 * Adds the time granted to its sender while the line came in. From now on the call itself reports how long it takes.
 */
function withHold(parsed: ParsedRequest, early: EarlyHold | null | undefined): ParsedRequest {
  early?.stop();
  if (!early || !parsed.ok) return parsed;
  return { ok: true, request: { ...parsed.request, heldUntil: early.until() } };
}

/** A small line is parsed when its turn comes, a large one before. */
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

/** A forwarder that hears nothing treats the daemon as hung and starts its fallback, so a busy daemon sends a hold. */
function holding(
  accepts: Accepts,
  busy: Busy,
  hold: (ms: number) => void,
  load: Load,
): Pick<Caller, 'hold' | 'busy'> & { stop(): void } {
  const hears = accepts.hold || accepts.busy;
  let stop = () => {};
  const speakUp = () => {
    hold(FIRST_REPLY_MS);
    stop = busy.still(speakUp);
  };
  if (hears) stop = busy.begin(speakUp);
  return {
    stop: () => stop(),
    busy: (ms) => void (hears && hold(ms)),
    hold(ms) {
      stop();
      load.park();
      hold(ms);
    },
  };
}
