// How many system calls the daemon makes for a call, counted by strace, which sees the daemon from its start: attaching to
// one that runs comes late, and many systems forbid it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLERS, startCountedDaemon } from '../processes/counted-daemon.js';
import { systemCallsPerCall } from '../processes/system-call-log.js';

const CALLS = { '8 callers': 800, 'one caller with pauses': 300 };
const WARM_UP = { name: 'warm-up', callers: 8, pauseMs: 0 };
const WARM_UP_CALLS = 800;
const nameOf = (who) => `system calls per call, ${who.name}`;
const marksOf = (who) => ({ begin: `/bench begins: ${who.name}`, end: `/bench ends: ${who.name}` });

export async function run() {
  const missing = missingStrace();
  if (missing !== null) return CALLERS.map((who) => ({ name: nameOf(who), skipped: missing }));
  const logOf = (folder) => join(folder, 'system-calls.log');
  const daemon = await startCountedDaemon({
    under: (folder) => ['strace', '-f', '-q', '-s', '0', '-o', logOf(folder)],
  });
  try {
    await daemon.probe('settle');
    await daemon.call(WARM_UP, WARM_UP_CALLS);
    await daemon.probe('settle');
    for (const who of CALLERS) await callBetweenMarks(daemon, who);
    daemon.checkStored();
    // The log is complete when strace has ended.
    await daemon.stop();
    const log = readFileSync(logOf(daemon.folder), 'utf8');
    return CALLERS.map((who) => {
      const value = systemCallsPerCall(log, marksOf(who), CALLS[who.name]);
      return { name: nameOf(who), value, unit: 'calls', isCount: true };
    });
  } finally {
    await daemon.close();
  }
}

async function callBetweenMarks(daemon, who) {
  const { begin, end } = marksOf(who);
  await daemon.probe('mark', begin);
  await daemon.call(who, CALLS[who.name]);
  // Deferred work is part of a call's cost.
  await daemon.probe('settle');
  await daemon.probe('mark', end);
}

/** Why system calls can't be counted here; null where they can. In CI on Linux that is a failure. */
function missingStrace() {
  if (process.platform !== 'linux') return 'strace needs Linux';
  if (spawnSync('strace', ['--version'], { stdio: 'ignore' }).error === undefined) return null;
  const missing = 'strace is not installed. Run `apt-get install strace`.';
  if (process.env.CI) throw new Error(`System calls can't be counted: ${missing}`);
  console.error(`SKIPPED, system calls are not counted: ${missing}`);
  return missing;
}
