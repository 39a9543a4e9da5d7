import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { closingSockets } from './own-sockets.ts';

/** A server that accepts connections and never responds. */
async function silentServer() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { server, port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
}

test('closes the sockets of a failed connection, and no others', async () => {
  const { server, port } = await silentServer();
  const other = connect(port, '127.0.0.1');
  await once(server, 'connection');
  const made: Socket[] = [];
  const failing = closingSockets(async () => {
    await Promise.resolve();
    made.push(connect(port, '127.0.0.1'));
    await once(server, 'connection');
    throw new Error('timeout');
  });
  await expect(failing).rejects.toThrow('timeout');
  expect(made.map(({ destroyed }) => destroyed)).toEqual([true]);
  expect(other.destroyed).toBe(false);
  other.destroy();
});

test('keeps those of a working one', async () => {
  const { server, port } = await silentServer();
  const socket = await closingSockets(async () => {
    const one = connect(port, '127.0.0.1');
    await once(server, 'connection');
    return one;
  });
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test("an ended connection doesn't keep the sockets of another open", async () => {
  const { server, port } = await silentServer();
  const made: Socket[] = [];
  let done = () => {};
  const ended = new Promise<void>((resolve) => {
    done = resolve;
  });
  const failing = closingSockets(async () => {
    await ended;
    made.push(connect(port, '127.0.0.1'));
    await once(server, 'connection');
    throw new Error('timeout');
  });
  await closingSockets(async () => {});
  done();
  await expect(failing).rejects.toThrow('timeout');
  expect(made.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test('an error after the client released a socket ends nothing', async () => {
  const { server, port } = await silentServer();
  const socket = await closingSockets(async () => {
    const one = connect(port, '127.0.0.1');
    await once(server, 'connection');
    return one;
  });
  // Like the client: writes once more, and closes before it learns that this failed.
  socket.end();
  socket.write('PING');
  socket.removeAllListeners();
  // Not `once` of node:events, which also listens for errors.
  await new Promise<void>((resolve) => socket.on('close', () => resolve()));
  expect(socket.errored).toMatchObject({ code: 'ERR_STREAM_WRITE_AFTER_END' });
});
