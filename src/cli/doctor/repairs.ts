import { realpathSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { connectOrStart, stopDaemon } from '../../client/client.ts';
import { isLocked } from '../../home/daemon/lock.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { hasOpen } from '../../platform/open-files.ts';
import type { Repair, Report } from './check.ts';

export function startRepair(paths: HomePaths): Repair {
  const run = async () => void (await connectOrStart(paths));
  return { id: 'daemon', done: 'Started the daemon.', run };
}

/** The daemon itself checks whether the caller may stop it. */
export function restartRepair(paths: HomePaths): Repair {
  return {
    id: 'daemon',
    done: 'Restarted the daemon.',
    async run() {
      await stopDaemon(paths);
      await connectOrStart(paths);
    },
  };
}

/** For a daemon that hangs. Null if the process can't be identified as a daemon. */
export function replaceDaemon(paths: HomePaths, pid: number | null): Repair | null {
  // The PID in the file may belong to another process by now. The daemon is the process that holds the lock.
  if (pid === null || !hasOpen(pid, realpathSync(paths.lock))) return null;
  return {
    id: 'daemon',
    done: `Killed the daemon that was not responding (pid ${pid}) and started another.`,
    async run() {
      // It hangs and can't do anything more; what it stored is on disk.
      process.kill(pid, 'SIGKILL');
      await released(paths);
      await connectOrStart(paths);
    },
  };
}

const RELEASE_MS = 5_000;

async function released({ root, lock }: HomePaths): Promise<void> {
  const deadline = Date.now() + RELEASE_MS;
  while (isLocked(lock)) {
    if (Date.now() > deadline) throw new HooklineError('DAEMON_UNREACHABLE', `A process holds ${root}.`);
    await pause(25);
  }
}

/** Runs every repair once and returns the results. */
export async function repairAll(reports: readonly Report[]): Promise<readonly RepairResult[]> {
  const repairs = new Map<string, Repair>();
  for (const { repair } of reports.flatMap(({ findings }) => findings))
    if (repair && !repairs.has(repair.id)) repairs.set(repair.id, repair);
  const results: RepairResult[] = [];
  for (const { id, done, run } of repairs.values()) results.push(await attempt(id, done, run));
  return results;
}

export interface RepairResult {
  readonly id: string;
  readonly ok: boolean;
  readonly message: string;
  readonly hint: string | null;
}

async function attempt(id: string, done: string, run: Repair['run']): Promise<RepairResult> {
  try {
    await run();
    return { id, ok: true, message: done, hint: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = error instanceof HooklineError ? error.hint : null;
    return { id, ok: false, message: error.message, hint };
  }
}
