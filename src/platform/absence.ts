import { lstatSync, type Stats, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { BoundedMap } from './bounded.ts';

type Found = Stats | null | undefined;

interface Looks {
  /** What is at a path now, links followed; undefined if it doesn't exist, null if unknown. */
  look(path: string): Found;
  /** The same for a directory, once for all callers of one turn. */
  lookOnce(folder: string): Found;
}

/** Checks for files that rarely exist, such as optional settings: one check of their directory covers all of them. */
export interface AbsenceLooks {
  lookFor(path: string, looks: Looks): Found;
}

interface AbsenceOptions {
  readonly now?: () => number;
  /** True if a directory's time changes as soon as something is created in it. */
  readonly isPrompt?: (folder: string) => boolean;
}

interface KnownFolder {
  readonly seen: Stats;
  /** When it was first seen in this state. */
  readonly since: number;
}

const REMEMBERED = 500;
/** File times have a resolution of up to two seconds. */
const TIME_STEP_MS = 3_000;

/**
 * Creating, linking or moving something into a directory changes its time, and a replacement directory has another
 * number. So nothing new exists while the directory is unchanged, provided that the time step of its last change was
 * over by then. This uses our own clock, because that of a file system may differ.
 */
export function createAbsenceLooks({
  now = () => performance.now(),
  isPrompt = isOnPromptSystem,
}: AbsenceOptions = {}): AbsenceLooks {
  /** Missing paths, with the state of the directory while that proves it; null while it doesn't. */
  const absent = new BoundedMap<string, Stats | null>(REMEMBERED);
  const folders = new BoundedMap<string, KnownFolder>(REMEMBERED);

  /** Null while something could be created in the directory without changing its time. */
  const lasting = (folder: string, found: Stats): Stats | null => {
    const known = folders.get(folder);
    if (known === undefined || !isUnchanged(known.seen, found)) {
      folders.set(folder, { seen: found, since: now() });
      return null;
    }
    return now() - known.since >= TIME_STEP_MS && isPrompt(folder) ? found : null;
  };

  return {
    lookFor(path, { look, lookOnce }) {
      const proof = absent.get(path);
      if (proof === undefined) {
        const found = look(path);
        if (found === undefined) absent.set(path, null);
        return found;
      }
      const folder = dirname(path);
      const around = lookOnce(folder);
      // Without a directory there is nothing in it.
      if (around === undefined || (around !== null && proof !== null && isUnchanged(proof, around)))
        return undefined;
      const next = around === null ? null : lasting(folder, around);
      const found = look(path);
      if (found === undefined) absent.set(path, next !== null && isNothing(path) ? next : null);
      else absent.delete(path);
      return found;
    },
  };
}

/** The target of a dangling link may be created later. */
function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Compared field by field, because this runs many times per call and building a text would be slower. */
function isUnchanged(before: Stats, now: Stats): boolean {
  return (
    before.dev === now.dev &&
    before.ino === now.ino &&
    before.size === now.size &&
    before.mode === now.mode &&
    before.mtimeMs === now.mtimeMs &&
    before.ctimeMs === now.ctimeMs
  );
}

/** Linux file systems whose disks only this machine writes to; others may report directory times late. */
const PROMPT_SYSTEMS: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
]);

function isOnPromptSystem(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return PROMPT_SYSTEMS.has(statfsSync(folder).type);
  } catch {
    return false;
  }
}
