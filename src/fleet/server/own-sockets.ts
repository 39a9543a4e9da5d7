import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import * as v from 'valibot';

const opened = new AsyncLocalStorage<Set<Socket>>();
let isListening = false;
let connecting = 0;

/**
 * Runs what connects, and closes its sockets where that fails. The client leaves one open on which a server says nothing
 * before it gives up: at such a server there would be one more with every attempt, until the daemon can open no file.
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
    // A context costs every promise of the process a little.
    if (connecting === 0) opened.disable();
  }
}

/** The client does not give its sockets away; Node tells of each, and the context says whose it is. */
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
 * Keeps an error that a socket reports after the client has let go of it from ending the process. The client removes all
 * listeners when it closes; where the server hung up just before, what it last wrote fails a moment later (`write after end`).
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

/** The socket of a connection: with TLS it is another one than the one that was opened. Null where the client has it elsewhere. */
export function socketOf(connection: object): Socket | null {
  const found = v.safeParse(connected, connection);
  return found.success ? found.output.protocol.transport.socket : null;
}
