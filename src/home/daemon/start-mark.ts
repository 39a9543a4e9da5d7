import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText } from '../../platform/bounded-files.ts';
import { isRunning } from '../../platform/processes.ts';
import { START_EVERY_MS, START_NAMELESS_MS, START_WAIT_MS } from '../../wire/limits.ts';
import { ageOf, silenceMark } from '../../wire/silence.ts';
import type { HomePaths } from '../paths.ts';

// Many hooks may find no daemon at once: one of them starts it, the others wait until it listens. native/src/start.rs
// does the same.

/** Who starts a daemon: this process, another one worth waiting for, or none. */
type Start =
  | { readonly by: 'us' }
  | { readonly by: 'others'; readonly leftMs: number }
  | { readonly by: 'none' };

const NO_START: Start = { by: 'none' };
const FAILED = 'failed';

function markIn({ run }: Pick<HomePaths, 'run'>): string {
  return join(run, 'starting');
}

export function claimStart(paths: Pick<HomePaths, 'run'>): Start {
  if (process.env.HOOKLINE_NO_AUTOSTART === '1') return NO_START;
  const mark = markIn(paths);
  if (!hasFolder(paths.run)) return NO_START;
  if (make(mark)) return { by: 'us' };
  const others = otherStart(paths);
  if (others) return others;
  // Left from a failed start.
  rmSync(mark, { force: true });
  return make(mark) ? { by: 'us' } : NO_START;
}

/** If it can't be created, no daemon could start: the call is evaluated without one. */
function hasFolder(run: string): boolean {
  try {
    // Doesn't recreate the home itself, because a deleted one must not come back.
    if (!existsSync(run)) mkdirSync(run, { mode: 0o700 });
    return true;
  } catch {
    return existsSync(run);
  }
}

/** Another process's start according to the mark; null if it is too old. */
export function otherStart(paths: Pick<HomePaths, 'run'>): Start | null {
  const mark = markIn(paths);
  const age = ageOf(mark);
  if (age === null) return null;
  if (age < START_WAIT_MS && isUnderWay(mark, age)) return { by: 'others', leftMs: START_WAIT_MS - age };
  return age < START_EVERY_MS ? NO_START : null;
}

/** True if the starting process or the daemon exists. An aborted call starts nothing any more. */
function isUnderWay(mark: string, age: number): boolean {
  try {
    const text = readRegularText(mark);
    if (text === '') return age < START_NAMELESS_MS;
    return /^\d+$/.test(text) && Number(text) > 0 && isRunning(Number(text));
  } catch {
    return false;
  }
}

/** True if the mark still names this process, because the process that it started has failed. */
export function isLeftByUs(paths: Pick<HomePaths, 'run'>): boolean {
  try {
    return readRegularText(markIn(paths)) === String(process.pid);
  } catch {
    return false;
  }
}

/** Records the process that waiting callers wait for. */
export function startBegan(paths: Pick<HomePaths, 'run'>, pid: number | undefined): void {
  // Skipped if the daemon already listens and has removed the mark.
  if (existsSync(markIn(paths))) writeFileSync(markIn(paths), pid === undefined ? FAILED : String(pid));
}

/** The daemon listens, so callers find it, and notes about the previous one no longer apply. */
export function startSucceeded(paths: Pick<HomePaths, 'root' | 'run'>): void {
  for (const mark of [markIn(paths), silenceMark(paths.root)]) rmSync(mark, { force: true });
}

/** Ends the waiting, and keeps every call from retrying. */
export function startFailed(paths: Pick<HomePaths, 'run'>): void {
  const mark = markIn(paths);
  if (existsSync(mark)) writeFileSync(mark, FAILED);
}

function make(mark: string): boolean {
  try {
    writeFileSync(mark, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
