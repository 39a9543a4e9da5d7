import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { readRegularText } from './bounded-files.ts';
import { writePrivateFile } from './files.ts';
import { sha256 } from './sha256.ts';

/** A file by path, with the files of its directory that it needs. */
export type Snapshot = Readonly<Record<string, string>>;

/** The last valid version of files. Neither a typo nor a restart after it may remove a guard. */
export interface LastGood {
  read(path: string): Snapshot | null;
  keep(path: string, files: Snapshot): void;
  /** It was deleted on purpose, which isn't a mistake. */
  forget(path: string): void;
  /** The files of a directory with a stored version. */
  keptIn(folder: string): readonly string[];
}

/** An unusable part of a file, and where it is. */
export interface FileProblem {
  readonly where: string;
  readonly message: string;
  /** The file was valid before, and that version still applies. */
  readonly lastGood?: true;
}

/** The same problem, for a file whose last good version still applies. */
export function withLastGood({ where, message }: FileProblem): FileProblem {
  return { where, message: `${message}; its last good version applies until it is fixed`, lastGood: true };
}

/** Kept for the lifetime of this process. */
export function createLastGood(): LastGood {
  const known = new Map<string, Snapshot>();
  return {
    read: (path) => known.get(path) ?? null,
    keep: (path, files) => void known.set(path, files),
    forget: (path) => void known.delete(path),
    keptIn: (folder) => [...known.keys()].filter((path) => dirname(path) === folder),
  };
}

const kept = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ path: v.string(), hash: v.string(), files: v.record(v.string(), v.string()) }),
);

/**
 * Stored in a directory that only its owner can enter, each file with its hash, for the daemon and for calls without
 * one.
 */
export function openLastGood(folder: string): LastGood {
  const fileOf = (path: string) => join(folder, `${digest(path).slice(0, 32)}.json`);
  const hashes = new Map<string, string>();
  return {
    read: (path) => readKept(fileOf(path))?.files ?? null,
    keep(path, files) {
      const hash = digest(JSON.stringify(files));
      const file = fileOf(path);
      if ((hashes.get(path) ?? readKept(file)?.hash) !== hash) {
        try {
          writePrivateFile(file, `${JSON.stringify({ path, hash, files })}\n`);
        } catch {
          // A full disk, or a read-only home: the file itself is valid and applies.
          return;
        }
      }
      hashes.set(path, hash);
    },
    forget(path) {
      hashes.delete(path);
      try {
        rmSync(fileOf(path), { force: true });
      } catch {
        // The next check retries.
      }
    },
    keptIn(of) {
      const paths = namesIn(folder).map((name) => readKept(join(folder, name))?.path ?? null);
      return paths.filter((path) => path !== null && dirname(path) === of).filter((path) => path !== null);
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  } catch {
    return [];
  }
}

/** Null if it isn't what was written. */
function readKept(file: string): v.InferOutput<typeof kept> | null {
  try {
    const found = v.parse(kept, readRegularText(file));
    return found.hash === digest(JSON.stringify(found.files)) ? found : null;
  } catch {
    return null;
  }
}

function digest(text: string): string {
  return sha256(text);
}
