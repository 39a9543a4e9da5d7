import { lstatSync, type Stats, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { BoundedMap } from './bounded.ts';

type Found = Stats | null | undefined;

interface Looks {
  /** What is at a path now, links followed; undefined where there is nothing, null where that cannot be told. */
  look(path: string): Found;
  /** The same of a folder, once for all that ask in one turn. */
  lookOnce(folder: string): Found;
}

/** Looks for what is mostly not there, such as optional settings: one look at their folder tells that of all of them. */
export interface AbsenceLooks {
  lookFor(path: string, looks: Looks): Found;
}

interface AbsenceOptions {
  readonly now?: () => number;
  /** Whether a folder has another time as soon as something was made in it. */
  readonly isPrompt?: (folder: string) => boolean;
}

interface KnownFolder {
  readonly seen: Stats;
  /** When it was first seen like this. */
  readonly since: number;
}

const REMEMBERED = 500;
/** File systems tell times in steps, of two seconds at most. */
const TIME_STEP_MS = 3_000;

/**
 * Creating, linking or moving something into a folder changes its time, and another folder in its place has another
 * number. So nothing is there as long as the folder is as it was when nothing was there, provided that the step of time
 * in which it last changed was over by then: by our own clock, because that of a file system may be another one.
 */
export function createAbsenceLooks({
  now = () => performance.now(),
  isPrompt = isOnPromptSystem,
}: AbsenceOptions = {}): AbsenceLooks {
  /** Paths at which there was nothing, with the folder as it is while that is so; null while that says nothing. */
  const absent = new BoundedMap<string, Stats | null>(REMEMBERED);
  const folders = new BoundedMap<string, KnownFolder>(REMEMBERED);

  /** Null while something could be made in the folder without changing it. */
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
      // Without a folder there is nothing in it.
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

/** Where a link leads nowhere, something can come to be at its end. */
function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Compared as they are: this is asked many times for each call, and a text of them would be made each time. */
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

/** Those of Linux whose disks only this machine writes to; others may tell the times of their folders late. */
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
