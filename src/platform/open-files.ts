import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** True if a process has a file open, given by its real path. Only Linux shows that; elsewhere this is false. */
export function hasOpen(pid: number, file: string): boolean {
  for (const one of openFiles(pid)) if (one === file) return true;
  return false;
}

/**
 * Open files of a process: real paths, and `socket:[4711]`. Empty if they aren't visible. A process whose first
 * thread has ended shows nothing itself, but its other threads do. Yields them one by one, so that a search can end
 * early.
 */
export function* openFiles(pid: number, proc = '/proc'): Generator<string, void> {
  const own = `${proc}/${pid}`;
  const names = namesIn(`${own}/fd`);
  for (const folder of names.length > 0 ? [own] : threadsOf(own)) yield* linksIn(`${folder}/fd`);
}

/** The kernel's data on each descriptor under which a process has a file open. */
export function* descriptorsOf(pid: number, file: string): Generator<string, void> {
  const own = `/proc/${pid}`;
  for (const one of namesIn(`${own}/fd`))
    if (linkOf(`${own}/fd/${one}`) === file) yield readFileSync(`${own}/fdinfo/${one}`, 'utf8');
}

/** The first visible process that has one of these open. */
export function openedBy(files: readonly string[], except: number | null = null): number | null {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const others = pids.map(Number).filter((pid) => pid !== except);
  return others.find((pid) => files.some((one) => hasOpen(pid, one))) ?? null;
}

function threadsOf(own: string): readonly string[] {
  return namesIn(`${own}/task`).map((thread) => `${own}/task/${thread}`);
}

function* linksIn(folder: string): Generator<string, void> {
  for (const one of namesIn(folder)) {
    const link = linkOf(`${folder}/${one}`);
    if (link !== null) yield link;
  }
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
