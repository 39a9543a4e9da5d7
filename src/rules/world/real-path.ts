import { readlinkSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BoundedSet } from '../../platform/bounded.ts';
import { LONGEST_PATH } from '../../platform/long-path.ts';
import { cachedLstat, cachedRealPath } from '../../platform/stat-cache.ts';

/** What was seen while paths were followed: kept for one call only, so that the next one sees what has changed. */
export interface SeenPaths {
  /** How a folder is followed, where it was before. Without it, the system follows all of a path at once. */
  ofFolder?(folder: string): string;
  /** Paths at which there is nothing, and so nothing below them. */
  readonly missing: Set<string>;
}

/** As many links as Linux follows before it gives up. */
const MAX_LINKS = 40;

/** Paths that were there when they were last asked for. That only says what to ask first, never the answer. */
const wereThere = new BoundedSet<string>(200);

/**
 * A file that does not exist yet lies where its folder really lies, or where the link that stands for it leads.
 * Callers with many paths pass `seen`, which caches the parents.
 */
export function realPath(path: string, seen?: SeenPaths): string {
  if (path === '/') return path;
  if (seen?.ofFolder !== undefined && isByNames(path)) {
    const folder = dirname(path);
    const real = seen.ofFolder(folder);
    // A normalized path does not need to be joined again.
    if (!isLink(path, folder, seen.missing)) return real === folder ? path : join(real, basename(path));
  }
  return (
    (wereThere.has(path) ? cachedRealPath(path) : null) ?? followed(path, MAX_LINKS, seen?.missing) ?? path
  );
}

/** With a slash behind it, a link is what it leads to; above it is what is above that. */
const isByNames = (path: string): boolean => path.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(path);

/** Below nothing there is nothing: that takes no look. */
function isLink(path: string, folder: string, missing: Set<string>): boolean {
  const stat = missing.has(folder) ? undefined : lstatOf(path);
  if (stat === undefined) missing.add(path);
  return stat?.isSymbolicLink() === true;
}

/** Null where links lead in a circle. */
function followed(path: string, links: number, missing?: Set<string>): string | null {
  const start = path.length > LONG_PATH ? asFarAsThere(path) : path;
  const names: string[] = start === path ? [] : [path.slice(start.length + 1)];
  for (let at = start; ; at = dirname(at)) {
    // Asked first, because an exception costs ten times as much.
    const stat = lstatOf(at);
    const real = stat ? cachedRealPath(at) : null;
    if (real !== null) {
      if (at === path) wereThere.add(path);
      return names.length === 0 ? real : join(real, ...names);
    }
    if (dirname(at) === at) return path;
    const link = stat?.isSymbolicLink() ? linkAt(at) : null;
    if (link !== null) {
      if (links === 0) return null;
      // It leads to nothing yet: what is written to it comes to lie where it leads.
      const folder = cachedRealPath(dirname(at)) ?? dirname(at);
      return followed(join(resolve(folder, link), ...names), links - 1);
    }
    if (stat === undefined) missing?.add(at);
    names.unshift(basename(at));
  }
}

/** Deeper than any folder that people work in. */
const LONG_PATH = 1_024;

/** The first folder on the way at which there is nothing: that is soon found from above, and late from below. */
function asFarAsThere(path: string): string {
  for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
    const folder = path.slice(0, end);
    if (!lstatOf(folder)) return folder;
  }
  return path;
}

/** Undefined where there is nothing; null where that cannot be told. */
function lstatOf(path: string): Stats | undefined | null {
  return path.length > LONGEST_PATH ? null : cachedLstat(path);
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
