import { expect, test } from 'vitest';
import { connection } from '../../../test/support/daemon/peer.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { createPeerFinder, nativeProgram } from './peer.ts';

const native = nativeProgram();

test.skipIf(native === null)('the kernel identifies the peer, and the connection continues', async () => {
  const peers = createPeerFinder({ program: () => native, folder: scratchFolder() });
  const socket = await connection();
  expect(await peers.connected(socket)).toBe(process.pid);
  expect(await peers.connected(socket)).toBe(process.pid);
  expect(socket.writable && socket.readable).toBe(true);
  socket.destroy();
});
