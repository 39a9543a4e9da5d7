import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

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
    if (isOurs && message.socket instanceof Socket) opened.getStore()?.add(message.socket);
  });
}
