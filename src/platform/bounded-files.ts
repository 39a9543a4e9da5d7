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

/** A file's content, or why it wasn't read; the beginning if it is too long. */
export type BoundedRead =
  | { readonly content: Buffer }
  | { readonly refused: string; readonly beginning?: Buffer };

/** For files that others wrote: a repository may contain a device, a pipe, or a link to any path in place of a file. */
interface ReadLimits {
  /** The directory that must contain the file after all links are resolved; null for any. */
  readonly within: string | null;
  readonly maxBytes: number;
}

/**
 * Opens a file at an untrusted path, or returns null if it isn't a regular file. Never waits, as opening a pipe
 * without a writer would. Throws like `open`.
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

/** Reads a regular file, up to a limit. Never waits, and never reads endlessly. Throws like `open`. */
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

/** Larger than any text that is read completely, such as an agent's settings or a spooled call. */
const MOST_TEXT_BYTES = 256 << 20;

/**
 * The text of a regular file. Never waits. Throws like `open`, and for anything that isn't a regular file or is too
 * large.
 */
export function readRegularText(path: string, maxBytes: number = MOST_TEXT_BYTES): string {
  return readRegularBytes(path, maxBytes).toString('utf8');
}

/** The same as bytes. */
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

/** Appends to a regular file, creating it if necessary. Never waits. Throws like `open`, and for a pipe or a device. */
export function appendRegularFile(path: string, text: string): void {
  writeText(path, text, constants.O_APPEND);
}

/** Replaces one of our own regular files in the same way, creating it if necessary. */
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
 * The text of one of Hookline's own files, or null if there is none. Others may have created it, so a pipe, a device
 * or an oversized file is an error, without waiting.
 */
export function readOwnFile(path: string): string | null {
  try {
    return readRegularText(path, MOST_OWN_BYTES);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** True if the path, already free of links, is in the directory, which may be a link. */
export function isInside(real: string, folder: string): boolean {
  const root = realpathSync(folder);
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The reported size of a file can be wrong, so this reads until the end. */
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

/** The names in a directory, unless there are more than the limit. */
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
