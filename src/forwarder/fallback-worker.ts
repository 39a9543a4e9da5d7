import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../model/errors.ts';
import type { FallbackCall } from './fallback.ts';
import type { FromFallback } from './fallback-thread.ts';

// Runs in a worker thread: evaluates one call. It is the entry `fallback-worker` of the build.

const call: FallbackCall = workerData;
const say = (message: FromFallback) => parentPort?.postMessage(message);

async function run(): Promise<void> {
  try {
    const { fallback } = await import('./fallback.ts');
    say({ type: 'answer', answer: await fallback(call, (ms) => say({ type: 'hold', ms })) });
  } catch (error) {
    say({ type: 'failed', message: messageOf(error) });
  }
}

void run();
