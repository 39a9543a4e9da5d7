import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether a process has a file open, which is given by its real path. Only Linux shows that: elsewhere it is false. */
export function hasOpen(pid: number, file: string): boolean {
  for (const one of openFiles(pid)) if (one === file) return true;
  return false;
}

/**
 * What a process has open: real paths, and `socket:[4711]`. Nothing where it cannot be seen. A process whose first thread has ended
 * shows nothing itself, and its other threads still do. Yields one after the other, so that a search can end early.
 */
export function* openFiles(pid: number, proc = '/proc'): Generator<string, void> {
  const own = `${proc}/${pid}`;
  const names = namesIn(`${own}/fd`);
  for (const folder of names.length > 0 ? [own] : threadsOf(own)) yield* linksIn(`${folder}/fd`);
}

/** What the kernel says of each descriptor under which a process has a file open. */
export function* descriptorsOf(pid: number, file: string): Generator<string, void> {
  const own = `/proc/${pid}`;
  for (const one of namesIn(`${own}/fd`))
    if (linkOf(`${own}/fd/${one}`) === file) yield readFileSync(`${own}/fdinfo/${one}`, 'utf8');
}

/** The first process, as far as they can be seen, that has one of these open. */
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
