import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a process has a file open, which is given by its real path. Only Linux shows that: elsewhere it is false. */
export function hasOpen(pid: number, file: string): boolean {
  return openFiles(pid).includes(file);
}

/**
 * What a process has open: real paths, and `socket:[4711]`. Empty where it cannot be seen. A process whose first thread has ended
 * shows nothing itself, and its other threads still do.
 */
export function openFiles(pid: number, proc = '/proc'): readonly string[] {
  const own = linksIn(join(proc, String(pid), 'fd'));
  return own.length > 0 ? own : threadsOf(pid, proc).flatMap((thread) => linksIn(join(thread, 'fd')));
}

/** The first process, as far as they can be seen, that has one of these open. */
export function openedBy(files: readonly string[], except: number | null = null): number | null {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const others = pids.map(Number).filter((pid) => pid !== except);
  return others.find((pid) => openFiles(pid).some((one) => files.includes(one))) ?? null;
}

function threadsOf(pid: number, proc: string): readonly string[] {
  const folder = join(proc, String(pid), 'task');
  return namesIn(folder).map((thread) => join(folder, thread));
}

function linksIn(folder: string): readonly string[] {
  return namesIn(folder).flatMap((one) => linkOf(join(folder, one)) ?? []);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
