import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname } from 'node:path';
import { identityOf } from '../watch/home-watch.ts';

/** A listening socket. */
interface Listening {
  /** Listens again if the socket was deleted or replaced. Connections stay open. True if that was necessary. */
  heal(): Promise<boolean>;
}

/** Listens on a Unix socket, or a named pipe, that only this user can reach. */
export async function listenOnSocket(server: Server, path: string): Promise<Listening> {
  if (path.startsWith('\\\\.\\pipe\\')) {
    await listen(server, path);
    return { heal: async () => false };
  }
  makeFolder(path);
  let made = await makeSocket(server, path);
  return {
    async heal() {
      if (identityOf(path) === made) return false;
      makeFolder(path);
      // The old socket has no path any more, so it gets no new connections; open ones continue.
      server.close();
      made = await makeSocket(server, path);
      return true;
    },
  };
}

/** Doesn't create parent directories: a home deleted in the meantime must not come back. */
function makeFolder(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

async function makeSocket(server: Server, path: string): Promise<string | null> {
  // We hold the lock, so a socket here was left by an earlier daemon.
  rmSync(path, { force: true });
  await listen(server, path);
  chmodSync(path, 0o600);
  return identityOf(path);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      // A failed connection, for example without free descriptors, must not end the process.
      server.off('error', reject).on('error', () => {});
      resolve();
    });
  });
}
