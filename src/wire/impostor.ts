import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText, replaceRegularFile } from '../platform/bounded-files.ts';
import { lockWriter } from '../platform/lock-writer.ts';
import { hasOpen, openedBy } from '../platform/open-files.ts';
import type { Exchange, Refused } from './exchange.ts';

// Another process on the daemon's socket: its answers don't count, and a file in the home tells the daemon about it.
// native/src/impostor.rs asks the kernel for the peer. Node can't, so this searches /proc for the listener.

/** The process that listens on a home's socket. */
export type SocketOwner =
  /** The process that holds the home's lock. */
  | { readonly kind: 'daemon' }
  /** The same process, but stopped by a signal: it can't answer, so an answer comes from another one. */
  | { readonly kind: 'stopped' }
  /** Another process; null if its ID is unknown. */
  | { readonly kind: 'impostor'; readonly pid: number | null }
  /** The system can't tell, or the daemon is in another namespace. */
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

/** The lock is free, or a sandbox hides locks, or the daemon is in another namespace. */
function withoutHolder(listening: readonly string[], lock: string): SocketOwner {
  const pid = listening.length === 0 ? null : openedBy(listening);
  return pid === null || hasOpen(pid, lock) ? UNKNOWN : { kind: 'impostor', pid };
}

/**
 * The PID in the daemon's info file. Any process of the user could have written it, so it is only the first to check.
 */
function notedPid(home: string): number | null {
  try {
    const { pid } = JSON.parse(readRegularText(join(home, 'run', 'daemon.json')));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** Why nothing is sent to this listener; null if it may be the daemon. */
export function refusalOf(owner: SocketOwner): Refused | null {
  if (owner.kind === 'stopped') return { kind: 'silent', why: 'the daemon is stopped' };
  if (owner.kind !== 'impostor') return null;
  const who = owner.pid === null ? 'another process' : `process ${owner.pid}`;
  return { kind: 'impostor', pid: owner.pid, why: `${who} listens on the socket of the daemon` };
}

/**
 * Dials a second time if another process answered first. A daemon that hands over no longer has the lock and stops
 * listening. An impostor keeps listening, and is reported to the daemon. A killed daemon has no open files, so it
 * doesn't count as an impostor here.
 */
export async function askPastHandOver(home: string, dial: () => Promise<Exchange>): Promise<Exchange> {
  const first = await dial();
  if (first.answer !== null || first.kind !== 'impostor') return first;
  const second = await dial();
  if (second.answer === null && second.kind === 'impostor') noteImpostor(home, second.pid ?? null);
  return second;
}

/** All sockets of that name, including one whose file was replaced. */
function listeningOn(socket: string): readonly string[] {
  // Num RefCount Protocol Flags Type St Inode Path, where this flag marks a listener.
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

/** For the daemon, which raises an alert. */
export function noteImpostor(home: string, pid: number | null): void {
  try {
    replaceRegularFile(markIn(home), String(pid ?? 0));
  } catch {
    // The rules still evaluate the call.
  }
}

/** What forwarders noted since the last call; null if nothing. The number is 0 if unknown. */
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
