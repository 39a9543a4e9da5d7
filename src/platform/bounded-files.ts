import {
  closeSync,
  constants,
  fstatSync,
  opendirSync,
  openSync,
  readSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { sep } from 'node:path';

/** A file's content, or why it is not read; of one that is too long, how it begins. */
export type BoundedRead =
  | { readonly content: Buffer }
  | { readonly refused: string; readonly beginning?: Buffer };

/** Files that others wrote: a repository may have a device, a pipe, or a link to any place where it should have a file. */
interface ReadLimits {
  /** The folder that the file lies in when all links are followed; null for anywhere. */
  readonly within: string | null;
  readonly maxBytes: number;
}

/**
 * Opens a file at an untrusted path, or returns null if it is not a regular file. Never waits: to open a pipe would, until
 * it has a writer. Throws as `open` does.
 */
export function openRegularFile(path: string, flags = constants.O_RDONLY, mode = 0o666): number | null {
  const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0), mode);
  try {
    if (fstatSync(file).isFile()) return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
  closeSync(file);
  return null;
}

/** A regular file, and no more of it than that. Never waits, and never reads what has no end. Throws as `open` does. */
export function readRegularFile(path: string, { within, maxBytes }: ReadLimits): BoundedRead {
  const real = realpathSync(path);
  if (within !== null && !isInside(real, within))
    return { refused: `it is a link to ${real}, out of ${within}` };
  const file = openRegularFile(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  if (file === null) return { refused: 'it is not a regular file' };
  try {
    const content = readUpTo(file, maxBytes + 1);
    if (content.length <= maxBytes) return { content };
    return { refused: `it has more than ${maxBytes} bytes`, beginning: content };
  } finally {
    closeSync(file);
  }
}

/** Larger than any text that is read whole, such as the settings of an agent or a call in the spool. */
const MOST_TEXT_BYTES = 256 << 20;

/** The text of a regular file. Never waits. Throws as `open` does, and for what is not a regular file or has no end. */
export function readRegularText(path: string, maxBytes: number = MOST_TEXT_BYTES): string {
  return readRegularBytes(path, maxBytes).toString('utf8');
}

/** The same as it is. */
export function readRegularBytes(path: string, maxBytes: number = MOST_TEXT_BYTES): Buffer {
  const file = openRegularFile(path);
  if (file === null) throw new Error(`${path} is not read: it is not a regular file`);
  try {
    const content = readUpTo(file, maxBytes + 1);
    if (content.length > maxBytes) throw new Error(`${path} is not read: it has more than ${maxBytes} bytes`);
    return content;
  } finally {
    closeSync(file);
  }
}

/** Adds to a regular file, which is made where there is none. Never waits. Throws as `open` does, and for a pipe or a device. */
export function appendRegularFile(path: string, text: string): void {
  writeText(path, text, constants.O_APPEND);
}

/** Replaces a regular file of our own, which is made where there is none, in the same way. */
export function replaceRegularFile(path: string, text: string): void {
  writeText(path, text, constants.O_TRUNC, 0o600);
}

function writeText(path: string, text: string, flags: number, mode?: number): void {
  const file = openRegularFile(path, constants.O_WRONLY | constants.O_CREAT | flags, mode);
  if (file === null) throw new Error(`${path} is not written: it is not a regular file`);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Larger than any file that people write for Hookline. */
export const MOST_OWN_BYTES = 1 << 20;

/**
 * The text of one of Hookline's own files, or null when there is none. Others may have put it there: a pipe, a
 * device or a file that is far too large is an error, and never waited for.
 */
export function readOwnFile(path: string): string | null {
  try {
    return readRegularText(path, MOST_OWN_BYTES);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Does the path, which has no links in it, lie in the folder, which may be one? */
export function isInside(real: string, folder: string): boolean {
  const root = realpathSync(folder);
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The size that a file says it has can be wrong: it is asked for bytes until there are none. */
export function readUpTo(file: number, most: number): Buffer {
  const size = Math.min(Math.max(fstatSync(file).size, 0) + 1, most);
  let buffer = Buffer.allocUnsafe(size);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length === most) return buffer;
      buffer = Buffer.concat([buffer], Math.min(most, length * 2));
    }
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
  }
}

/** The names in a folder, unless there are more than that. */
export function listNames(folder: string, most: number): readonly string[] | null {
  const opened = opendirSync(folder);
  try {
    const names: string[] = [];
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      if (names.length === most) return null;
      names.push(entry.name);
    }
    return names.sort();
  } finally {
    opened.closeSync();
  }
}
