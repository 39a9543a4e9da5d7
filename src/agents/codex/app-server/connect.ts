import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';

/** An open connection to the server, one JSON message at a time. */
export interface Connection {
  send(text: string): void;
  close(): void;
}

export interface ConnectionEvents {
  message(text: string): void;
  /** Once, when nothing more will come. */
  closed(why: string): void;
}

/** Opens a connection. Rejects if the server doesn't answer. */
export type Connect = (events: ConnectionEvents) => Promise<Connection>;

/** Where a server listens: `ws://…`, or the path of a Unix socket as `unix:///…`. */
export interface Address {
  readonly url: string;
  /** Sent as a bearer token; null where none is needed. */
  readonly token: string | null;
}

const OPEN_MS = 10_000;
/** An item has the whole output of a command. */
const MAX_MESSAGE_BYTES = 256 << 20;

/** One message a text frame, over TCP or over the socket of the shared daemon, with the same protocol. */
export function overWebSocket({ url, token }: Address): Connect {
  // `ws` names sockets in this way; the slash after the colon is the path of the request.
  const target = url.startsWith('unix://') ? `ws+unix://${url.slice('unix://'.length)}:/` : url;
  return (events) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(target, {
        headers: token === null ? {} : { authorization: `Bearer ${token}` },
        handshakeTimeout: OPEN_MS,
        maxPayload: MAX_MESSAGE_BYTES,
        // The server of 0.166.0 does not offer it, and an offer of ours was never answered well.
        perMessageDeflate: false,
      });
      let why = 'the connection was closed';
      socket.on('open', () => resolve({ send: (text) => socket.send(text), close: () => socket.close() }));
      socket.on('message', (data, isBinary) => {
        if (!isBinary) events.message(String(data));
      });
      socket.on('error', (error) => {
        why = error.message;
        reject(error);
      });
      socket.on('close', () => events.closed(why));
    });
}

/** One message a line, with a server that is a child of ours. Closing its stdin lets it end its sessions and exit. */
export function overStdio(child: ChildProcessByStdio<Writable, Readable, null>): Connect {
  return (events) =>
    new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('spawn', () =>
        resolve({
          send: (text) => child.stdin.write(`${text}\n`),
          close: () => child.stdin.end(),
        }),
      );
      child.on('close', (code) => events.closed(`the server ended with code ${code}`));
      // It may go while we write.
      child.stdin.on('error', () => {});
      createInterface({ input: child.stdout }).on('line', (line) => events.message(line));
    });
}
