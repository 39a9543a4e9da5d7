import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { MAX_LINE_BYTES, parseRequest, type Reply, type Request } from '../forwarder/protocol.ts';

/** Something that listens, until it is closed. */
export interface Listener {
  /** Takes no new calls; resolves when those under way are answered. */
  close(): Promise<void>;
}

/** Who answers what comes in. */
export interface Judge {
  request(request: Request, hold: (ms: number) => void): Promise<Reply>;
  /** The other end has gone before it had its answer. */
  abandon(requestId: string): void;
}

/** Serves NDJSON on a Unix socket that only this user can reach. */
export async function serveSocket(path: string, judge: Judge): Promise<Listener> {
  const isPipe = path.startsWith('\\\\.\\pipe\\');
  if (!isPipe) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // We hold the lock, so a socket that lies here belongs to a daemon that is gone.
    rmSync(path, { force: true });
  }
  const connections = new Set<Connection>();
  const server = createServer((socket) => {
    const connection = serveConnection(socket, judge);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve());
  });
  if (!isPipe) chmodSync(path, 0o600);
  return {
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

function serveConnection(socket: Socket, judge: Judge): Connection {
  let parts: Buffer[] = [];
  let size = 0;
  const open = new Set<string>();
  let finishing = false;
  const send = (reply: Reply) => {
    if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
  };

  async function reply(line: string): Promise<void> {
    const parsed = parseRequest(line);
    if (!parsed.ok) {
      send({
        request_id: parsed.requestId,
        ts: Date.now(),
        error: { code: 'USAGE', message: parsed.message },
      });
      return;
    }
    const { id } = parsed.request.call;
    open.add(id);
    send(await judge.request(parsed.request, (ms) => send({ request_id: id, hold_ms: ms })));
    open.delete(id);
    if (finishing && open.size === 0) socket.destroySoon();
  }

  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const id of open) judge.abandon(id);
  });
  socket.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const rest = chunk.subarray(from, end);
      const line = (parts.length === 0 ? rest : Buffer.concat([...parts, rest])).toString('utf8');
      parts = [];
      size = 0;
      from = end + 1;
      if (line.trim() !== '') void reply(line);
    }
    if (from < chunk.length) {
      parts.push(chunk.subarray(from));
      size += chunk.length - from;
      // A forwarder never sends this much; whoever does gets no more of our memory.
      if (size > MAX_LINE_BYTES) socket.destroy();
    }
  });
  return {
    finish() {
      finishing = true;
      // Not end(): that would wait for the other side to hang up too.
      if (open.size === 0) socket.destroySoon();
    },
  };
}
