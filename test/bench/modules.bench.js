// How many files of code the daemon loads until it is warm, how much code that is, and whether calls load any more.
import { startCountedDaemon } from './counted-daemon.js';

const CALLS = 1_000;
const AGENTS = ['claude', 'codex', 'gemini'];

export async function run() {
  const daemon = await startCountedDaemon({ env: { HOOKLINE_BENCH_MODULES: 'yes' } });
  try {
    await daemon.probe('settle');
    const start = await daemon.probe('modules');
    await daemon.call({ name: 'first', callers: 1, pauseMs: 0 }, CALLS, AGENTS);
    await daemon.probe('settle');
    const later = (await daemon.probe('modules')).count - start.count;
    daemon.checkStored();
    return [
      { name: 'modules loaded at daemon start', value: start.count, unit: 'files', isCount: true },
      { name: 'code loaded at daemon start', value: start.characters / 1_000, unit: 'KB', isCount: true },
      { name: 'modules loaded by the first 1,000 calls', value: later, unit: 'files', isCount: true },
    ];
  } finally {
    await daemon.close();
  }
}
