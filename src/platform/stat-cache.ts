import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { createAbsenceLooks } from './absence.ts';

/** What was at a path, and when that was checked. */
interface CachedStat {
  /** Undefined if it doesn't exist; null if it can't be resolved, such as a link to itself. */
  readonly stat: Stats | null | undefined;
  readonly at: number;
}

let cache: Map<string, CachedStat> | null = null;
/** Created with the first entry, within `withStatCache`. */
let unfollowed: Map<string, Stats | null | undefined> | null = null;
let realPaths: Map<string, string | null> | null = null;
const absences = createAbsenceLooks();

/** What is at a path. Within `withStatCache`, what was there at the first check. */
export function cachedStat(path: string): CachedStat {
  const known = cache?.get(path);
  if (known) return known;
  const stat = cache === null ? statOf(path) : absences.lookFor(path, { look: statOf, lookOnce });
  return remembered(path, stat);
}

/** The same for a link itself: undefined if it doesn't exist, null if unknown. */
export function cachedLstat(path: string): Stats | null | undefined {
  const known = unfollowed?.get(path);
  if (known !== undefined || unfollowed?.has(path)) return known;
  const stat = lstatOf(path);
  if (cache !== null) {
    unfollowed ??= new Map();
    unfollowed.set(path, stat);
  }
  return stat;
}

/** The target of a path after all links are resolved; null if there is none. */
export function cachedRealPath(path: string): string | null {
  const known = realPaths?.get(path);
  if (known !== undefined) return known;
  const real = realPathOf(path);
  if (cache !== null) {
    realPaths ??= new Map();
    realPaths.set(path, real);
  }
  return real;
}

function lookOnce(folder: string): Stats | null | undefined {
  return (cache?.get(folder) ?? remembered(folder, statOf(folder))).stat;
}

function remembered(path: string, stat: Stats | null | undefined): CachedStat {
  const seen = { stat, at: Date.now() };
  cache?.set(path, seen);
  return seen;
}
/**
 * Stats each path only once for everything that `work` starts, until it waits for something external. That is enough
 * for calls that have already arrived: changes made before they were sent are seen.
 */
export function withStatCache(work: () => void): void {
  clearStatCache();
  cache = new Map();
  // Ticks run after all pending microtasks, and so after everything that didn't have to wait.
  void Promise.resolve().then(clearNext);
  work();
}

function clearNext(): void {
  process.nextTick(clearStatCache);
}

/** For callers that changed a file. */
export function clearStatCache(): void {
  cache = null;
  unfollowed = null;
  realPaths = null;
}

function statOf(path: string): Stats | null | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}

function lstatOf(path: string): Stats | null | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
