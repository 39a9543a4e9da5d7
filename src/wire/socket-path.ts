import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAX_SOCKET_PATH_BYTES } from './limits.ts';

/**
 * The socket of this home's daemon. Derived from the real path, because the native forwarder knows no other. A home
 * with a long path has its socket in a private directory under /tmp.
 */
export function socketPath(home: string): string {
  const real = realPath(home);
  if (process.platform === 'win32') return `\\\\.\\pipe\\hookline-${fnv1a(real)}`;
  const path = join(real, 'run', 'hookline.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path;
  return `/tmp/hookline-${ownerOf(real)}/${fnv1a(real)}.sock`;
}

/** The socket next to it, where commands reach the daemon. */
export function apiSocketPath(home: string): string {
  const path = socketPath(home);
  return path.endsWith('.sock') ? path.replace(/hookline\.sock$|\.sock$/, apiName) : `${path}-api`;
}

function apiName(end: string): string {
  return end === 'hookline.sock' ? 'api.sock' : '-api.sock';
}

/** Why this home's socket can't be trusted; null if it can. The daemon's own home needs no check. */
export function socketFolderProblem(home: string): string | null {
  const real = realPath(home);
  const folder = dirname(socketPath(real));
  if (process.platform === 'win32' || folder === join(real, 'run')) return null;
  return sharedFolderProblem(folder, ownerOf(real));
}

/** Why another user may listen there; null if only this user can have created it. */
export function foreignSocketProblem(path: string): string | null {
  if (process.platform === 'win32') return null;
  const owner = process.getuid?.() ?? 0;
  const socket = lstatSync(path, { throwIfNoEntry: false });
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
  if (!socket?.isSocket() || !folder?.isDirectory()) return `${path} is not a socket`;
  if (socket.uid !== owner || folder.uid !== owner) return `${path} belongs to another user`;
  if ((folder.mode & 0o022) !== 0) return `${dirname(path)} can be written to by others`;
  return null;
}

/**
 * Anyone can create a directory in /tmp, and one that others can write to may contain a socket that isn't our
 * daemon's.
 */
export function sharedFolderProblem(folder: string, owner: number): string | null {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return `${folder} does not exist`;
  const isPrivate = found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0;
  return isPrivate ? null : `${folder} is not private to this user`;
}

function realPath(path: string): string {
  try {
    // The faster variant. On Windows it returns some paths in another form, so a daemon of an earlier version
    // wouldn't be found.
    return process.platform === 'win32' ? realpathSync(path) : realpathSync.native(path);
  } catch {
    return path;
  }
}

function ownerOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.uid ?? process.getuid?.() ?? 0;
}

/** FNV-1a, 64 bits, as 16 hex digits. */
export function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
