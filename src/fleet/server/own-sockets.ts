import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import * as v from 'valibot';

const opened = new AsyncLocalStorage<Set<Socket>>();
let isListening = false;
let connecting = 0;

/**
 * Runs a connection attempt and closes its sockets if it fails. The client leaves a socket open if the server stays
 * silent until the attempt times out. Each attempt would add one, until the daemon can't open files any more.
 */
export async function closingSockets<T>(connect: () => Promise<T>): Promise<T> {
  listen();
  const sockets = new Set<Socket>();
  connecting += 1;
  try {
    return await opened.run(sockets, connect);
  } catch (error) {
    for (const socket of sockets) socket.destroy();
    throw error;
  } finally {
    connecting -= 1;
    // An async context slightly slows down every promise in the process.
    if (connecting === 0) opened.disable();
  }
}

/** The client doesn't expose its sockets. Node reports each new one, and the context identifies its owner. */
function listen(): void {
  if (isListening) return;
  isListening = true;
  subscribe('net.client.socket', (message) => {
    const isOurs = typeof message === 'object' && message !== null && 'socket' in message;
    if (!isOurs || !(message.socket instanceof Socket)) return;
    const own = opened.getStore();
    if (own === undefined) return;
    own.add(message.socket);
    ignoreLateErrors(message.socket);
  });
}

/**
 * Keeps a late socket error from ending the process. The client removes all listeners when it closes. If the server
 * hung up just before, its last write fails a moment later (`write after end`).
 */
export function ignoreLateErrors(socket: Socket): void {
  const removeAll = socket.removeAllListeners.bind(socket);
  Object.assign(socket, {
    removeAllListeners(...of: [event?: string]) {
      removeAll(...of);
      if (socket.listenerCount('error') === 0) socket.on('error', () => {});
      return socket;
    },
  });
}

const connected = v.object({
  protocol: v.object({ transport: v.object({ socket: v.instance(Socket) }) }),
});

/**
 * The socket of a connection; with TLS it differs from the one first opened. Null if the client stores it elsewhere.
 */
export function socketOf(connection: object): Socket | null {
  const found = v.safeParse(connected, connection);
  return found.success ? found.output.protocol.transport.socket : null;
}
