// A server that is slow, or says nothing any more: between others, in a thread of its own, so that it does not slow down what
// measures.
import { connect, createServer } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * Passes everything on to a port on loopback, so many ms later. Resolves when it listens.
 *
 * @param {number} to
 * @param {number} delayMs
 * @returns {Promise<{ port: number, silence: () => void, close: () => Promise<number> }>} `silence`: from now on nothing
 *   is passed on, and no connection is closed.
 */
export async function startProxy(to, delayMs) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { to, delayMs } });
  const port = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return { port, silence: () => worker.postMessage('silence'), close: () => worker.terminate() };
}

function serve({ to, delayMs }) {
  let isSilent = false;
  parentPort?.on('message', () => {
    isSilent = true;
  });
  const pass = (from, other) => {
    from.on('data', (chunk) => setTimeout(() => isSilent || other.write(chunk), delayMs));
    from.on('close', () => isSilent || other.destroy());
    from.on('error', () => {});
  };
  const server = createServer((inner) => {
    const outer = connect(to, '127.0.0.1');
    pass(inner, outer);
    pass(outer, inner);
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage(server.address()?.port));
}

if (!isMainThread) serve(workerData);
