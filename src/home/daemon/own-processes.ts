import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PROGRAM_FOLDERS } from '../../platform/package-root.ts';
import type { OwnProcess } from '../../rules/self/processes.ts';
import type { HomePaths } from '../paths.ts';
import { readDaemonInfo } from './daemon-info.ts';

/**
 * The daemon of a home, from its info file, and other processes of this program: `watch` in a person's terminal,
 * `mcp`, a forwarder. The others are looked up in /proc, so outside Linux only the daemon is found.
 */
export function ownProcesses(paths: Pick<HomePaths, 'root' | 'daemon'>): readonly OwnProcess[] {
  const noted = readDaemonInfo(paths);
  const folders = [...PROGRAM_FOLDERS, join(paths.root, 'bin', '/')];
  const others = runningFrom(folders).filter(({ pid }) => pid !== noted?.pid && pid !== process.pid);
  return [...(noted === null ? [] : [daemonOf(noted)]), ...others];
}

function daemonOf({ pid, http }: { readonly pid: number; readonly http: string }): OwnProcess {
  // Without /proc, assumes that it was started like this process and has its command line.
  const line = argvOf(pid)?.join(' ') ?? `${process.execPath} hookline`;
  const port = URL.canParse(http) ? Number(new URL(http).port) : 0;
  return { pid, names: namesOf(pid), line, port: port || null };
}

/** Node's own options come before the script. */
const FIRST_WORDS = 6;

function runningFrom(folders: readonly string[]): readonly OwnProcess[] {
  // A command on PATH is a link, and runs under the link's name.
  const isOwn = (word: string) =>
    folders.some((folder) => word.startsWith(folder)) || word.endsWith('/hookline');
  const pids = (seen(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.flatMap((pid) => {
    const argv = argvOf(pid) ?? [];
    if (!argv.slice(0, FIRST_WORDS).some(isOwn)) return [];
    return [{ pid, names: namesOf(pid), line: argv.join(' '), port: null }];
  });
}

function argvOf(pid: number): readonly string[] | null {
  return seen(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0'));
}

/** Names of its executable and of the process. */
function namesOf(pid: number): readonly string[] {
  const path = seen(() => readlinkSync(`/proc/${pid}/exe`)) ?? process.execPath;
  const comm = seen(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  return [...new Set([basename(path), ...(comm ? [comm] : [])])];
}

function seen<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
