import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { ask, SilentError } from './request.ts';

async function listening(onRequest: RequestListener): Promise<string> {
  const socket = join(scratchFolder(), 's');
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return socket;
}

test('rejects a response that never ends, however often a byte arrives', async () => {
  const socket = await listening((_, response) => {
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  });
  await expect(ask(socket, 'GET', '/', undefined, 50)).rejects.toMatchObject({
    code: 'DAEMON_UNREACHABLE',
    cause: expect.any(SilentError),
  });
});

test("doesn't wait for a challenge file that isn't a file", async () => {
  const socket = await listening((_, response) => {
    response.writeHead(428).end(JSON.stringify({ challenge: { id: 'x', file: '/dev/null' } }));
  });
  await expect(ask(socket, 'POST', '/', {})).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
});
