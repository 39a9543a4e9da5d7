import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname } from 'node:path';
import { identityOf } from '../watch/home-watch.ts';

/** A socket that is listened on. */
interface Listening {
  /** Listens again where the socket was deleted or replaced. Connections stay. True where that was needed. */
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
      // The old socket has no path any more, so it takes no new connections; those that are open go on.
      server.close();
      made = await makeSocket(server, path);
      return true;
    },
  };
}

/** Not the folders above it: a home that was deleted meanwhile must not come back. */
function makeFolder(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

async function makeSocket(server: Server, path: string): Promise<string | null> {
  // We have the lock, so a socket that lies here belongs to a daemon that is gone.
  rmSync(path, { force: true });
  await listen(server, path);
  chmodSync(path, 0o600);
  return identityOf(path);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      // A connection that could not be taken, such as for want of descriptors, is no reason to end.
      server.off('error', reject).on('error', () => {});
      resolve();
    });
  });
}
