import { rmSync, statSync } from 'node:fs';
import { readRegularBytes } from './bounded-files.ts';
import { writeFileAtomically } from './files.ts';

/** The desired state of a file. */
export interface PlannedFile {
  readonly path: string;
  /** Null if it must not exist. */
  readonly content: Buffer | null;
  readonly mode: number;
}

export function isInPlace({ path, content, mode }: PlannedFile): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || content === null) return found === undefined && content === null;
  if (!readRegularBytes(path).equals(content)) return false;
  // Windows has no such modes.
  return process.platform === 'win32' || (found.mode & 0o777) === mode;
}

/** True if something had to be written. Others may read or run the file at any moment, so it is replaced atomically. */
export function putInPlace(file: PlannedFile): boolean {
  if (isInPlace(file)) return false;
  if (file.content === null) rmSync(file.path, { force: true });
  else writeFileAtomically(file.path, file.content, { mode: file.mode });
  return true;
}
