import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { homePaths } from '../home/paths.ts';
import { messageOf } from '../model/errors.ts';
import { useCodeCache } from '../platform/code-cache.ts';
import type { FallbackCall } from './fallback.ts';
import type { FromFallback } from './fallback-thread.ts';

// Runs in a worker thread: evaluates one call, possibly with code that the last daemon compiled.

const call: FallbackCall = workerData;
const say = (message: FromFallback) => parentPort?.postMessage(message);

async function run(): Promise<void> {
  try {
    const program = dirname(fileURLToPath(import.meta.url));
    const { compileCache, machineKey } = homePaths(call.home);
    useCodeCache({ folder: compileCache, key: machineKey, program, flags: [], goesOn: false });
    const { fallback }: typeof import('./fallback.ts') = createRequire(import.meta.url)('./fallback.cjs');
    say({ type: 'answer', answer: await fallback(call, (ms) => say({ type: 'hold', ms })) });
  } catch (error) {
    say({ type: 'failed', message: messageOf(error) });
  }
}

void run();
