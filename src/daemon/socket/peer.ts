import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOf } from '../../access/processes.ts';
import { findNative } from '../../forwarder/native-program.ts';
import { hasOpen } from '../../platform/open-files.ts';
import { VERSION } from '../../version.ts';

/** Identifies the process at the other end of a connection. */
export interface PeerFinder {
  /** From the kernel's note at connection time; null if the kernel can't be asked. */
  connected(socket: Socket): Promise<number | null>;
  /** A file for the peer to open, which then shows in its process; null if the system can't show that. */
  challenge(): { readonly id: string; readonly file: string } | null;
  /** The process ID, if that process has the file open. Each challenge works once. */
  proven(id: string, pid: number): number | null;
}

interface PeerFinderParts {
  /** Path of the native program, which can ask the kernel. Looked up on demand. */
  readonly program: () => string | null;
  /** A directory that only this user can write to. */
  readonly folder: string;
}

/** A process and its start time, because process IDs are reused. */
interface Peer {
  readonly pid: number;
  readonly started: Promise<string | null>;
}

const MOST_CHALLENGES = 50;
const PROOF = 'proof-';

/** Removes files left by an earlier daemon. */
function removeProofs(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (name.startsWith(PROOF)) rmSync(join(folder, name), { force: true });
}

export function createPeerFinder({ program, folder }: PeerFinderParts): PeerFinder {
  const asked = new WeakMap<Socket, Promise<Peer | null>>();
  let native: { readonly path: string | null } | null = null;
  const challenges = new Map<string, string>();
  removeProofs(folder);

  async function ask(socket: Socket): Promise<Peer | null> {
    native ??= { path: program() };
    const pid = native.path === null ? null : await askKernel(native.path, socket);
    return pid === null ? null : { pid, started: startOf(pid) };
  }

  function drop(id: string): void {
    const file = challenges.get(id);
    challenges.delete(id);
    if (file !== undefined) rmSync(file, { force: true });
  }

  return {
    async connected(socket) {
      const known = asked.get(socket) ?? ask(socket);
      asked.set(socket, known);
      const peer = await known;
      if (peer === null) return null;
      // A connection may outlive the process that made it, and its ID may be reused.
      const at = await peer.started;
      return at !== null && at === (await startOf(peer.pid)) ? peer.pid : null;
    },
    challenge() {
      if (process.platform !== 'linux') return null;
      for (const id of challenges.keys()) if (challenges.size >= MOST_CHALLENGES) drop(id);
      const id = randomBytes(16).toString('hex');
      const file = join(realpathSync(folder), `${PROOF}${id}`);
      writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
      challenges.set(id, file);
      return { id, file };
    },
    proven(id, pid) {
      const file = challenges.get(id);
      if (file === undefined) return null;
      const isOpen = hasOpen(pid, file);
      drop(id);
      return isOpen ? pid : null;
    },
  };
}

/** The native program of this build: next to the bundle, or in the output of the last build. */
export function nativeProgram(): string | null {
  const beside = dirname(fileURLToPath(import.meta.url));
  const dist = existsSync(join(beside, 'cli.cjs')) ? beside : join(beside, '..', '..', 'dist');
  return findNative(dist, VERSION).path;
}

const KERNEL_DEADLINE_MS = 3_000;

/** The program gets the connection as its standard input and prints pid and uid of the other end. */
function askKernel(program: string, socket: Socket): Promise<number | null> {
  const descriptor = descriptorOf(socket);
  if (descriptor === null) return Promise.resolve(null);
  return new Promise((resolve) => {
    const child = spawn(program, ['--peer'], {
      stdio: [descriptor, 'pipe', 'ignore'],
      timeout: KERNEL_DEADLINE_MS,
    });
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.on('error', () => resolve(null));
    child.on('close', () => {
      const [, pid, uid] = /^(\d+) (\d+)\n$/.exec(text) ?? [];
      resolve(pid !== undefined && Number(uid) === process.getuid?.() ? Number(pid) : null);
    });
  });
}

/** Node has no public way to get it, and passing on the socket would end our own reading. */
function descriptorOf(socket: Socket): number | null {
  const handle: unknown = Reflect.get(socket, '_handle');
  const found: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : null;
  return typeof found === 'number' && found >= 0 ? found : null;
}
