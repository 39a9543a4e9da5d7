import { setTimeout as pause } from 'node:timers/promises';
import { type DaemonProcess, idleDaemonProcess } from '../access/daemon-process.ts';
import { isLocked } from '../home/daemon/lock.ts';
import { lockHolder } from '../home/daemon/lock-holder.ts';
import type { HomePaths } from '../home/paths.ts';
import { daemonAnswersProbe } from '../wire/ask-probe.ts';

/** How long it says nothing before it is hung: one that a signal has stopped, and one that may only be busy. */
const STOPPED_MS = 2_000;
const BUSY_MS = 15_000;
const PROBE_MS = 1_000;
const TRY_EVERY_MS = 200;
const GONE_MS = 5_000;

/**
 * Ends a daemon that has the lock of a home but doesn't respond. False if it responds or leaves after all, or is not
 * provably a daemon of this home and this user that may be ended: then nothing was done.
 *
 * @param mayEnd - throws where it is not for this process to do that
 */
export async function endHungDaemon(
  paths: HomePaths,
  mayEnd: () => Promise<unknown> = async () => {},
): Promise<boolean> {
  const holder = lockHolder(paths);
  const found = holder === null ? null : await idleDaemonProcess(holder);
  if (found === null || !(await isHung(found, paths))) return false;
  await mayEnd();
  // Checks all of it again: the daemon may have ended, and its number may belong to another process.
  const still = lockHolder(paths) === found.pid ? await idleDaemonProcess(found.pid) : null;
  if (still?.started !== found.started || still.isStopped !== found.isStopped) return false;
  return end(still, paths);
}

async function isHung({ pid, isStopped, youngForMs }: DaemonProcess, paths: HomePaths): Promise<boolean> {
  const until = Date.now() + Math.max(isStopped ? STOPPED_MS : BUSY_MS, youngForMs);
  while (lockHolder(paths) === pid) {
    const left = until - Date.now();
    if (left <= 0) return true;
    if (await daemonAnswersProbe(paths.root, Math.min(left, PROBE_MS))) return false;
    // A socket that was deleted comes back.
    await pause(TRY_EVERY_MS);
  }
  return false;
}

async function end({ pid }: DaemonProcess, { lock }: HomePaths): Promise<boolean> {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
  const until = Date.now() + GONE_MS;
  while (isLocked(lock)) {
    if (Date.now() > until) return false;
    await pause(25);
  }
  return true;
}
