import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname } from 'node:path';

/** Listens on a Unix socket, or a named pipe, that only this user can reach. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  const isPipe = path.startsWith('\\\\.\\pipe\\');
  if (!isPipe) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // We have the lock, so a socket that lies here belongs to a daemon that is gone.
    rmSync(path, { force: true });
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve());
  });
  if (!isPipe) chmodSync(path, 0o600);
}
