import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { scratchFolder } from '../scratch.ts';

/** The daemon's end of a connection that this process made. */
export async function connection(): Promise<Socket> {
  const path = join(scratchFolder(), 's');
  return await new Promise((resolve) => {
    const server = createServer((socket) => resolve(socket));
    server.listen(path, () => {
      const client = createConnection(path);
      onTestFinished(() => {
        client.destroy();
        server.close();
      });
    });
  });
}
