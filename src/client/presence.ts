import { existsSync, lstatSync } from 'node:fs';
import { readDaemonInfo } from '../home/daemon/daemon-info.ts';
import { isLocked } from '../home/daemon/lock.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import { apiSocketPath, foreignSocketProblem, socketPath } from '../wire/socket-path.ts';
import { type Client, type DaemonStatus, reach } from './client.ts';
import { SilentError } from './request.ts';

/** What is found in place of a home's daemon. */
export type Presence =
  | { readonly kind: 'none' }
  | { readonly kind: 'answers'; readonly client: Client; readonly status: DaemonStatus }
  /** A process holds the home and doesn't answer: it hangs, is stopped, or is just starting. */
  | { readonly kind: 'silent'; readonly pid: number | null }
  /** Something other than this home's daemon. */
  | { readonly kind: 'foreign'; readonly why: string };

/** Looks for the daemon of a home, and reports within the deadline what is there instead. */
export async function findDaemon(paths: HomePaths, deadlineMs: number): Promise<Presence> {
  const socket = apiSocketPath(paths.root);
  const isThere = process.platform === 'win32' || lstatSync(socket, { throwIfNoEntry: false }) !== undefined;
  const untrusted = isThere ? foreignSocketProblem(socket) : null;
  if (untrusted !== null) return { kind: 'foreign', why: untrusted };
  if (!isThere) return absent(paths);
  try {
    const { client, status } = await reach(socket, deadlineMs);
    if (client.info.socket === socketPath(paths.root)) return { kind: 'answers', client, status };
    return { kind: 'foreign', why: `the daemon at ${socket} serves ${client.info.socket}` };
  } catch (error) {
    const cause = error instanceof HooklineError ? error.cause : error;
    // An unused socket was left by a killed daemon.
    if (isRefused(cause)) return absent(paths);
    if (cause instanceof SilentError && hasOwner(paths))
      return { kind: 'silent', pid: readDaemonInfo(paths)?.pid ?? null };
    return { kind: 'foreign', why: `the process that listens at ${socket} is not a Hookline daemon` };
  }
}

function absent(paths: HomePaths): Presence {
  return hasOwner(paths) ? { kind: 'silent', pid: readDaemonInfo(paths)?.pid ?? null } : { kind: 'none' };
}

function hasOwner({ lock }: HomePaths): boolean {
  return existsSync(lock) && isLocked(lock);
}

function isRefused(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT')
  );
}
