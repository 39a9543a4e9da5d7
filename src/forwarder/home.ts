import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The longest socket path that every system takes. */
const MAX_SOCKET_PATH = 100;

/** What setup writes to `bin/forwarder.json`, for both forwarders. */
export interface ForwarderSettings {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of the forwarder in JavaScript. */
  readonly script: string;
  /** The variables to send along. */
  readonly env: readonly string[];
}

export function forwarderSettingsFile(home: string): string {
  return join(home, 'bin', 'forwarder.json');
}

/** Null when there are none, or none that can be used. */
export function readForwarderSettings(home: string): ForwarderSettings | null {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(forwarderSettingsFile(home), 'utf8'));
  } catch {
    return null;
  }
  if (typeof found !== 'object' || found === null) return null;
  const node = 'node' in found && typeof found.node === 'string' ? found.node : null;
  const script = 'script' in found && typeof found.script === 'string' ? found.script : null;
  const env =
    'env' in found && Array.isArray(found.env) ? found.env.filter((name) => typeof name === 'string') : [];
  return node === null || script === null ? null : { node, script, env };
}

/** The listed variables that are set. */
export function pickEnv(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/**
 * Where the daemon of this home listens. Derived from the real path, since the native forwarder knows no other; a
 * home with a long path has its socket in a private folder under /tmp.
 */
export function socketPath(home: string): string {
  const real = realPath(home);
  if (process.platform === 'win32') return `\\\\.\\pipe\\hookline-${fnv1a(real)}`;
  const path = join(real, 'run', 'hookline.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path;
  return `/tmp/hookline-${ownerOf(real)}/${fnv1a(real)}.sock`;
}

/** Why the socket of this home is not to be trusted; null when it is. The daemon's own home needs no proof. */
export function socketFolderProblem(home: string): string | null {
  const real = realPath(home);
  const folder = dirname(socketPath(real));
  if (process.platform === 'win32' || folder === join(real, 'run')) return null;
  return sharedFolderProblem(folder, ownerOf(real));
}

/** Anybody may make a folder in /tmp, and one that others can write to may hold a socket that is not our daemon's. */
export function sharedFolderProblem(folder: string, owner: number): string | null {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return `${folder} does not exist`;
  const isPrivate = found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0;
  return isPrivate ? null : `${folder} is not private to this user`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
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
