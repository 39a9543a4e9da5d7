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

/** The text of a file, or null if there is none. */
export function readIfExists(path: string): string | null {
  try {
    return readRegularText(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Identifies the content of a file; empty if there is none. */
export function fileStamp(path: string): string {
  const { stat } = cachedStat(path);
  return stat ? stampOf(path, stat) : '';
}

/** File times have a resolution of some ms, so two writes in one step look the same. */
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

/** Cached, because each call asks for the same files, which rarely change. */
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
  /** Exactly this mode, ignoring the umask; if omitted, the umask applies. */
  readonly mode?: number | undefined;
  /** Synced to disk before this returns, so that a power cut doesn't lose it. */
  readonly durable?: boolean;
}

/** Writes a whole file or nothing, so that no reader sees half of it. Replaces an existing file. */
export function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { mode, durable = false }: WriteOptions = {},
): void {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = openSync(draft, 'wx', mode);
    try {
      // Undoes the effect of the umask on `openSync`.
      if (mode !== undefined) fchmodSync(file, mode);
      // Not writeSync, which may write only a part and reports that just by a number.
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

/** Writes a file that only its owner can read, in a directory that only its owner can enter. */
export function writePrivateFile(
  path: string,
  content: string,
  options: Pick<WriteOptions, 'durable'> = {},
): void {
  makeFolder(dirname(path), 0o700);
  writeFileAtomically(path, content, { mode: 0o600, ...options });
}

/**
 * Writes a user's file as a whole. Many users link settings into a dotfiles repository, so a link stays and its
 * target is written. An existing file keeps its mode; `mode` is for a new one.
 */
export function writeUserFile(path: string, text: string, mode?: number): void {
  const target = followLinks(path);
  const kept = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  writeFileAtomically(target, text, { mode: kept, durable: true });
}

/** The final target of a path, even if it doesn't exist yet. */
export function followLinks(path: string): string {
  let target = resolve(path);
  // Not realpath, because a link may point to a file that doesn't exist yet. The limit is that of Linux.
  for (let hops = 0; hops < 40; hops++) {
    if (!lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new Error(`${path} is a link that leads to itself`);
}

/**
 * Identifies a directory, as opposed to a later one at its path; null if there is none. Excludes the device, whose
 * number changes when some file systems are remounted.
 */
export function folderIdentity(path: string): string | null {
  try {
    // File numbers are reused, so the number alone isn't enough.
    const { ino, birthtimeNs } = statSync(path, { bigint: true });
    return `${realpathSync.native(path)}:${ino}:${birthtimeNs}`;
  } catch {
    return null;
  }
}
