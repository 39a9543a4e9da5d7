import { setTimeout as pause } from 'node:timers/promises';
import { type DaemonProcess, idleDaemonProcess } from '../access/daemon-process.ts';
import { isLocked } from '../home/daemon/lock.ts';
import { lockHolder } from '../home/daemon/lock-holder.ts';
import type { HomePaths } from '../home/paths.ts';
import { daemonAnswersProbe } from '../wire/ask-probe.ts';

/** Silence that counts as hung, for a process stopped by a signal and for one that may only be busy. */
const STOPPED_MS = 2_000;
const BUSY_MS = 15_000;
const PROBE_MS = 1_000;
const TRY_EVERY_MS = 200;
const GONE_MS = 5_000;

/**
 * Ends a daemon that holds a home's lock but doesn't respond. False if it responds or ends after all, or isn't
 * provably a daemon of this home and this user; then nothing was done.
 * @param mayEnd - throws if this process may not do that
 */
export async function endHungDaemon(
  paths: HomePaths,
  mayEnd: () => Promise<unknown> = async () => {},
): Promise<boolean> {
  const holder = lockHolder(paths);
  const found = holder === null ? null : await idleDaemonProcess(holder);
  if (found === null || !(await isHung(found, paths))) return false;
  await mayEnd();
  // Checks everything again, because the daemon may have ended and its PID may belong to another process.
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
    // A deleted socket is restored.
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
