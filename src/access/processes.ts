import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** A running process, as the operating system tells it. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly uid: number;
  /** Null without a controlling terminal. */
  readonly terminal: string | null;
  readonly leadsSession: boolean;
  /** It belongs to the process group that the terminal listens to. */
  readonly inForeground: boolean;
  /** Its real and its effective user are root: a program that changes its user when it starts is still its starter's. */
  readonly isRoots: boolean;
  /** Base name of the executable file; where that cannot be seen, what the kernel calls the process. */
  readonly executable: string;
  /** The executable file, with links followed; null where it cannot be seen. */
  readonly path: string | null;
  /** The executable file is part of the system: only root can have put it there. */
  readonly isInstalled: boolean;
  readonly args: readonly string[];
  /** Names of the variables it was started with; empty where they cannot be seen. */
  readonly variables: ReadonlySet<string>;
}

/** Null for a process that is gone. */
export type ReadProcess = (pid: number) => Promise<ProcessInfo | null>;

export const readProcess: ReadProcess = process.platform === 'linux' ? readFromProc : readFromPs;

async function readFromProc(pid: number): Promise<ProcessInfo | null> {
  try {
    const folder = `/proc/${pid}`;
    const stat = readFileSync(`${folder}/stat`, 'utf8');
    // The owner of the directory would be root for every protected process.
    const [, real, effective] = /^Uid:\s+(\d+)\s+(\d+)/m.exec(readFileSync(`${folder}/status`, 'utf8')) ?? [];
    if (effective === undefined) return null;
    const path = seen(() => readlinkSync(`${folder}/exe`).replace(DELETED, '')) || null;
    // The name before it is in brackets and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, parent, group, session, terminal, foreground] = fields.map(Number);
    return {
      pid,
      parent: parent ?? 0,
      uid: Number(effective),
      isRoots: real === '0' && effective === '0',
      terminal: terminal ? String(terminal) : null,
      leadsSession: session === pid,
      inForeground: group === foreground,
      executable: path === null ? stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')) : basename(path),
      path,
      isInstalled: seen(() => isInstalledFile(`${folder}/exe`)) ?? false,
      args: (seen(() => readFileSync(`${folder}/cmdline`, 'utf8')) ?? '').split('\0').slice(0, -1),
      variables: namesIn((seen(() => readFileSync(`${folder}/environ`, 'utf8')) ?? '').split('\0')),
    };
  } catch {
    return null;
  }
}

/** When a process started, in the system's own terms; null for one that is gone. A number alone may be used again. */
export async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return (await ps('-o', 'lstart=', '-p', String(pid))).trim() || null;
  const stat = seen(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** A program that was updated while it runs. */
const DELETED = / \(deleted\)$/;

/** Directories that packages install to. Not /tmp, a home or a project, even if root owns the file there. */
const SYSTEM_FOLDERS =
  /^\/(?:usr|bin|sbin|lib|lib64|opt|snap|nix\/store|gnu\/store|System|Applications|Library)\//;

/**
 * @param link - leads to the file itself, even where another file is mounted over it for the process
 */
function isInstalledFile(link: string): boolean {
  const shown = readlinkSync(link);
  const path = shown.replace(DELETED, '');
  if (!SYSTEM_FOLDERS.test(path) || !onlyRootWrites(link)) return false;
  if (shown !== path) return true;
  const [run, named] = [statSync(link), statSync(path)];
  return run.ino === named.ino && run.dev === named.dev;
}

function onlyRootWrites(path: string): boolean {
  const { uid, mode } = statSync(path);
  return uid === 0 && (mode & 0o022) === 0;
}

/** Another user's processes show less of themselves. */
function seen<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function namesIn(pairs: readonly string[]): ReadonlySet<string> {
  return new Set(pairs.flatMap((pair) => (pair.includes('=') ? [pair.slice(0, pair.indexOf('='))] : [])));
}

const PS_DEADLINE_MS = 5_000;

/** By `ps`, for systems without /proc. With -E the environment follows the command, which is all that is split here. */
async function readFromPs(pid: number): Promise<ProcessInfo | null> {
  const [facts, file, command] = await Promise.all([
    ps('-o', 'ppid=,uid=,ruid=,tty=,stat=,command=', '-ww', '-p', String(pid)),
    ps('-o', 'comm=', '-ww', '-p', String(pid)),
    ps('-E', '-o', 'command=', '-ww', '-p', String(pid)),
  ]);
  const [, parent, uid, real, terminal = '', state = '', line = ''] =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(facts) ?? [];
  if (parent === undefined) return null;
  const args = line.split(' ');
  const path = file.startsWith('/') ? file : null;
  return {
    pid,
    parent: Number(parent),
    uid: Number(uid),
    isRoots: uid === '0' && real === '0',
    terminal: /^[?-]+$/.test(terminal) ? null : terminal,
    leadsSession: state.includes('s'),
    inForeground: state.includes('+'),
    executable: basename(file),
    path,
    // Applications that a user drags into place are that user's.
    isInstalled:
      path !== null &&
      SYSTEM_FOLDERS.test(path) &&
      (path.startsWith('/Applications/') || (seen(() => onlyRootWrites(path)) ?? false)),
    args,
    variables: namesIn(command.slice(line.length).trim().split(' ')),
  };
}

function ps(...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('ps', args, { timeout: PS_DEADLINE_MS, encoding: 'utf8' }, (error, stdout) =>
      resolve(error ? '' : (stdout.split('\n')[0] ?? '')),
    );
  });
}
