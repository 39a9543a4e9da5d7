import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BoundedMap } from './bounded.ts';
import { readRegularText } from './bounded-files.ts';
import { makeFolder } from './make-folder.ts';
import { cachedStat, clearStatCache } from './stat-cache.ts';

/** The text of a file, or null when there is none. */
export function readIfExists(path: string): string | null {
  try {
    return readRegularText(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** What tells one content of a file from the next; empty where there is none. */
export function fileStamp(path: string): string {
  const { stat } = cachedStat(path);
  return stat ? stampOf(path, stat) : '';
}

/** File times have steps of some ms, so that two writes in one step look the same. */
const TIME_STEP_MS = 50;

/** The same, but null while a further change would look like the last. */
export function settledStamp(path: string): string | null {
  const { stat, at } = cachedStat(path);
  if (!stat) return stat === undefined ? '' : null;
  return Math.abs(at - stat.ctimeMs) < TIME_STEP_MS ? null : stampOf(path, stat);
}

interface Stamped {
  readonly seen: Stats;
  readonly stamp: string;
}

/** Asked of the same files for each call, which hardly ever change: the text of so many numbers is made once. */
const stamped = new BoundedMap<string, Stamped>(500);

function stampOf(path: string, stat: Stats): string {
  const known = stamped.get(path);
  if (known !== undefined && isUnchanged(known.seen, stat)) return known.stamp;
  const { mtimeMs, ctimeMs, size, ino } = stat;
  const stamp = `${mtimeMs}:${ctimeMs}:${size}:${ino}`;
  stamped.set(path, { seen: stat, stamp });
  return stamp;
}

function isUnchanged(before: Stats, now: Stats): boolean {
  return (
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs &&
    before.size === now.size &&
    before.ino === now.ino
  );
}

interface WriteOptions {
  /** Exactly this, whatever the umask; without it, what the umask leaves. */
  readonly mode?: number | undefined;
  /** On the disk when this returns, so that a power cut does not lose it. */
  readonly durable?: boolean;
}

/** Writes a whole file or nothing, so that no reader ever meets half of it. What stood at the path is replaced. */
export function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { mode, durable = false }: WriteOptions = {},
): void {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = openSync(draft, 'wx', mode);
    try {
      // What the umask took from `openSync`.
      if (mode !== undefined) fchmodSync(file, mode);
      // Not writeSync: that may write a part and say so only by a number.
      writeFileSync(file, content);
      if (durable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    clearStatCache();
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A file that only its owner can read, in a folder that only its owner can enter. */
export function writePrivateFile(
  path: string,
  content: string,
  options: Pick<WriteOptions, 'durable'> = {},
): void {
  makeFolder(dirname(path), 0o700);
  writeFileAtomically(path, content, { mode: 0o600, ...options });
}

/**
 * A file that belongs to the user, written as a whole. Many users link settings into a dotfiles repository: the file a link
 * leads to is written, the link stays. The mode of an existing file is kept; `mode` is for a new one.
 */
export function writeUserFile(path: string, text: string, mode?: number): void {
  const target = followLinks(path);
  const kept = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  writeFileAtomically(target, text, { mode: kept, durable: true });
}

/** Where a path leads in the end, even if nothing is there yet. */
export function followLinks(path: string): string {
  let target = resolve(path);
  // Not realpath: a link may lead to a file that is yet to be made. The limit is the one of Linux.
  for (let hops = 0; hops < 40; hops++) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new Error(`${path} is a link that leads to itself`);
}

/**
 * What tells a folder from another one that has its path later; null where there is none. Not the device: its number
 * changes when some file systems are mounted again.
 */
export function folderIdentity(path: string): string | null {
  try {
    // Numbers of files that are gone are given out again, so the number alone does not tell.
    const { ino, birthtimeNs } = statSync(path, { bigint: true });
    return `${realpathSync.native(path)}:${ino}:${birthtimeNs}`;
  } catch {
    return null;
  }
}
