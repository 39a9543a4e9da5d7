import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText, replaceRegularFile } from '../platform/bounded-files.ts';
import { lockWriter } from '../platform/lock-writer.ts';
import { hasOpen, openedBy } from '../platform/open-files.ts';
import type { Exchange, Refused } from './exchange.ts';

// Another process on the socket of the daemon: what it answers does not count, and a file in the home tells the daemon of it.
// native/src/impostor.rs asks the kernel who is at the other end. Node cannot, so here /proc is searched for who listens.

/** Who listens on the socket of a home. */
export type SocketOwner =
  /** The process that has the lock of the home. */
  | { readonly kind: 'daemon' }
  /** That process, but a signal has stopped it: it can't answer, so an answer comes from another one. */
  | { readonly kind: 'stopped' }
  /** Another process; null where only that much is known. */
  | { readonly kind: 'impostor'; readonly pid: number | null }
  /** This system does not tell, or the daemon is in another namespace. */
  | { readonly kind: 'unknown' };

const UNKNOWN: SocketOwner = { kind: 'unknown' };

export function socketOwner(home: string, socket: string): SocketOwner {
  if (process.platform !== 'linux') return UNKNOWN;
  try {
    const listening = listeningOn(socket);
    const lock = realpathSync.native(join(home, 'run', 'lock.db'));
    const holder = lockWriter(lock, notedPid(home));
    if (holder === null) return withoutHolder(listening, lock);
    const foreign = listening.filter((one) => !hasOpen(holder, one));
    if (foreign.length > 0) return { kind: 'impostor', pid: openedBy(foreign) };
    if (isStopped(holder)) return { kind: 'stopped' };
    return listening.length === 0 ? UNKNOWN : { kind: 'daemon' };
  } catch {
    return UNKNOWN;
  }
}

/** The lock is free, or a sandbox shows no locks, or the daemon is in another namespace. */
function withoutHolder(listening: readonly string[], lock: string): SocketOwner {
  const pid = listening.length === 0 ? null : openedBy(listening);
  return pid === null || hasOpen(pid, lock) ? UNKNOWN : { kind: 'impostor', pid };
}

/** What the daemon says of itself; any process of the user could have written that, so it is only where to look first. */
function notedPid(home: string): number | null {
  try {
    const { pid } = JSON.parse(readRegularText(join(home, 'run', 'daemon.json')));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** Why nothing is said to this listener; null where it may be the daemon. */
export function refusalOf(owner: SocketOwner): Refused | null {
  if (owner.kind === 'stopped') return { kind: 'silent', why: 'the daemon is stopped' };
  if (owner.kind !== 'impostor') return null;
  const who = owner.pid === null ? 'another process' : `process ${owner.pid}`;
  return { kind: 'impostor', pid: owner.pid, why: `${who} listens on the socket of the daemon` };
}

/**
 * Dials a second time where the first met another process. A daemon that hands over no longer has the lock, and no longer listens: an
 * impostor still does, and the daemon is told of it. One that was killed has no open files, so it is not taken for an impostor here.
 */
export async function askPastHandOver(home: string, dial: () => Promise<Exchange>): Promise<Exchange> {
  const first = await dial();
  if (first.answer !== null || first.kind !== 'impostor') return first;
  const second = await dial();
  if (second.answer === null && second.kind === 'impostor') noteImpostor(home, second.pid ?? null);
  return second;
}

/** All of that name: one whose file was replaced still has it. */
function listeningOn(socket: string): readonly string[] {
  // Num RefCount Protocol Flags Type St Inode Path, and this flag is that of a listener.
  const listener = /^\S+ \S+ \S+ 00010000 \S+ \S+ +(\d+) (.*)$/gm;
  const all = [...readFileSync('/proc/net/unix', 'utf8').matchAll(listener)];
  return all.filter(([, , path]) => path === socket).map(([, inode]) => `socket:[${inode}]`);
}

function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return /^[Tt]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

function markIn(home: string): string {
  return join(home, 'run', 'impostor');
}

/** For the daemon, which makes an alert of it. */
export function noteImpostor(home: string, pid: number | null): void {
  try {
    replaceRegularFile(markIn(home), String(pid ?? 0));
  } catch {
    // The call is judged by the rules all the same.
  }
}

/** What forwarders noted since this was last asked; null where nothing. The number is 0 where it is not known. */
export function takeImpostor(home: string): number | null {
  let text: string;
  try {
    text = readRegularText(markIn(home));
  } catch {
    return null;
  }
  rmSync(markIn(home), { force: true });
  return /^\d{1,10}$/.test(text) ? Number(text) : 0;
}
