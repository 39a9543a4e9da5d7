import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a process has a file open, which is given by its real path. Only Linux shows that: elsewhere it is false. */
export function hasOpen(pid: number, file: string): boolean {
  return openFiles(pid).includes(file);
}

/** What a process has open: real paths, and `socket:[4711]`. Empty where it cannot be seen. */
export function openFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((one) => linkOf(join(folder, one)) ?? []);
  } catch {
    return [];
  }
}

/** The first process, as far as they can be seen, that has one of these open. */
export function openedBy(files: readonly string[], except: number | null = null): number | null {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const others = pids.map(Number).filter((pid) => pid !== except);
  return others.find((pid) => openFiles(pid).some((one) => files.includes(one))) ?? null;
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
