import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { ONLY } from '../approvals/limits.ts';
import { isLocked } from '../home/daemon/lock.ts';
import { lockHolder } from '../home/daemon/lock-holder.ts';
import { spawnDaemon } from '../home/daemon/start-daemon.ts';
import { requireOwnHome } from '../home/ownership.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import { readRegularText } from '../platform/bounded-files.ts';
import { readIfExists } from '../platform/files.ts';
import { isRunning } from '../platform/processes.ts';
import { apiSocketPath, foreignSocketProblem } from '../wire/socket-path.ts';
import { ask } from './request.ts';

const daemonInfo = v.object({
  pid: v.number(),
  version: v.string(),
  socket: v.string(),
  http: v.string(),
  startedAt: v.string(),
});
type DaemonInfo = v.InferOutput<typeof daemonInfo>;

/** The listener for paired devices, as reported by the daemon. */
export const phoneStatus = v.object({
  address: v.string(),
  port: v.number(),
  /** Null while it does not listen. */
  url: v.nullable(v.string()),
  fingerprint: v.nullable(v.string()),
  authorityFile: v.nullable(v.string()),
  problem: v.nullable(v.string()),
});
export type PhoneStatus = v.InferOutput<typeof phoneStatus>;

const status = v.object({
  daemon: daemonInfo,
  events: v.number(),
  rules: v.number(),
  ruleProblems: v.array(v.object({ where: v.string(), message: v.string() })),
  ruleRemarks: v.optional(
    v.array(v.object({ where: v.string(), message: v.string(), never: v.boolean() })),
    [],
  ),
  hooks: v.optional(
    v.array(
      v.object({
        name: v.string(),
        kind: v.string(),
        where: v.string(),
        state: v.picklist(['ready', 'paused', 'broken']),
        runs: v.number(),
        failures: v.number(),
        problem: v.nullable(v.string()),
      }),
    ),
    [],
  ),
  hookProblems: v.optional(v.array(v.object({ where: v.string(), message: v.string() })), []),
  /** When protected rules apply again; null while they do. */
  unlockedUntil: v.optional(v.nullable(v.string()), null),
  /** Null while away mode is off. */
  away: v.optional(
    v.nullable(v.object({ since: v.string(), until: v.nullable(v.string()), by: v.string() })),
    null,
  ),
  /** Problems of the home that the user should know. */
  alerts: v.optional(
    v.array(
      v.object({
        code: v.string(),
        level: v.picklist(['problem', 'notice']),
        message: v.string(),
        fix: v.nullable(v.string()),
        at: v.string(),
      }),
    ),
    [],
  ),
  /** Calls that could not be recorded. */
  unrecorded: v.optional(v.object({ waiting: v.number(), dropped: v.number() }), { waiting: 0, dropped: 0 }),
  /** Null while only this machine can open the dashboard. */
  phone: v.optional(v.nullable(phoneStatus), null),
  devices: v.optional(
    v.array(
      v.object({ name: v.string(), only: v.picklist(ONLY), projects: v.nullable(v.array(v.string())) }),
    ),
    [],
  ),
  /** The settings at its start, in the form of `configMarks`. */
  config: v.optional(v.record(v.string(), v.string()), {}),
});
export type DaemonStatus = v.InferOutput<typeof status>;

/** A connection to a running daemon. */
export interface Client {
  readonly info: DaemonInfo;
  status(): Promise<DaemonStatus>;
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  /**
   * Calls back when the live feed opens and on news, until the daemon ends or the signal aborts. With `surface` the
   * daemon expects a person there to answer.
   */
  follow(onNews: () => void, signal: AbortSignal, surface?: string): Promise<void>;
}

/**
 * The daemon of a home, or null if none answers. Connects only to a socket that only this user can have created,
 * because an address stored in the home may be from an earlier daemon.
 */
export async function connect(paths: HomePaths, deadlineMs?: number): Promise<Client | null> {
  const socket = apiSocketPath(paths.root);
  if (foreignSocketProblem(socket) !== null) return null;
  try {
    return (await reach(socket, deadlineMs)).client;
  } catch {
    return null;
  }
}

/** What listens on a socket, with its self-description. Throws if it isn't a daemon or doesn't respond in time. */
export async function reach(
  socket: string,
  deadlineMs?: number,
): Promise<{ readonly client: Client; readonly status: DaemonStatus }> {
  const said = v.parse(status, await ask(socket, 'GET', '/api/status', undefined, deadlineMs));
  return { client: createClient(said.daemon, socket), status: said };
}

/** After this time, the follower tries again to open the feed. */
const FEED_MS = 10_000;

function createClient(info: DaemonInfo, socket: string): Client {
  return {
    info,
    status: async () => v.parse(status, await ask(socket, 'GET', '/api/status')),
    get: (path) => ask(socket, 'GET', path),
    post: (path, body) => ask(socket, 'POST', path, body),
    follow: async (onNews, signal, surface) => {
      // Loaded on demand, because only followers need it.
      const { WebSocket } = await import('ws');
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        const query = surface === undefined ? '' : `?surface=${encodeURIComponent(surface)}`;
        const feed = new WebSocket(`ws+unix:${socket}:/api/feed${query}`, { handshakeTimeout: FEED_MS });
        // Not `close`, which waits for a daemon that may hang.
        const leave = () => feed.terminate();
        signal.addEventListener('abort', leave);
        feed.on('open', onNews);
        feed.on('message', onNews);
        feed.on('error', leave);
        feed.on('close', () => {
          signal.removeEventListener('abort', leave);
          resolve();
        });
      });
    },
  };
}

const START_DEADLINE_MS = 25_000;
/** A working daemon answers faster, and there is no point in waiting repeatedly for another. */
const ANSWER_MS = 2_000;

/** The daemon of a home, started if necessary. */
export async function connectOrStart(paths: HomePaths): Promise<{ client: Client; started: boolean }> {
  const running = await connect(paths, ANSWER_MS);
  if (running) return { client: running, started: false };
  // The daemon would refuse to start, and this error is better shown here than in its log.
  requireOwnHome(paths);
  let child = spawnDaemon(paths);
  let wasTaken = false;
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    const client = await connect(paths, ANSWER_MS);
    if (client) return { client, started: client.info.pid === child.pid };
    if (child.exitCode !== null) {
      // Another process holds the home: a daemon that is starting or stopping.
      if (isLocked(paths.lock)) wasTaken = true;
      else if (!wasTaken) break;
      else {
        wasTaken = false;
        child = spawnDaemon(paths);
      }
    }
    await pause(25);
  }
  const said = readRegularText(join(paths.log, 'daemon.out')).trim();
  throw new HooklineError('DAEMON_START', `The daemon did not start.${said ? `\n${said}` : ''}`, {
    hint: `See ${join(paths.log, 'daemon.log')}, or run \`hookline daemon\` to see its output.`,
  });
}

/**
 * Asks the daemon to stop and waits until it is gone. False if there was none.
 * @param endHung - ends a daemon that doesn't respond, if the caller may do that
 */
export async function stopDaemon(paths: HomePaths, endHung?: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + START_DEADLINE_MS;
  let stopped = false;
  // The holder of the lock is a daemon, even while it starts and doesn't answer yet.
  while (existsSync(paths.lock) && isLocked(paths.lock)) {
    if (stopped && Date.now() > deadline) throw startedAgain(paths);
    const client = await connect(paths, ANSWER_MS);
    if (client) {
      stopped = true;
      await shutDown(client, deadline);
    } else if (await endHung?.()) {
      stopped = true;
    } else if (Date.now() > deadline) {
      const pid = lockHolder(paths);
      const who = pid === null ? 'A process' : `Process ${pid}`;
      throw new HooklineError('DAEMON_UNREACHABLE', `${who} holds ${paths.root} and is not responding.`, {
        hint: `See ${join(paths.log, 'daemon.log')}. Run \`kill ${pid ?? '<pid>'}\` to stop it.`,
      });
    } else {
      await pause(25);
    }
  }
  return stopped;
}

/** Hook calls start a daemon if they find none, possibly at the same moment. */
function startedAgain({ root }: HomePaths): HooklineError {
  return new HooklineError('DAEMON_RUNNING', `The daemon of ${root} was stopped but keeps restarting.`, {
    hint: "Agents' tool calls start it. Stop the agents first, or set HOOKLINE_NO_AUTOSTART=1 for them.",
  });
}

async function shutDown(client: Client, deadline: number): Promise<void> {
  await client.post('/api/shutdown').catch((error: unknown) => {
    // It may end before it answers; what counts is that it is gone.
    if (!(error instanceof HooklineError) || error.code !== 'DAEMON_UNREACHABLE') throw error;
  });
  while (isAlive(client.info.pid)) {
    if (Date.now() > deadline) {
      throw new HooklineError('DAEMON_UNREACHABLE', `The daemon (pid ${client.info.pid}) did not stop.`, {
        hint: 'An approval may still be pending. Run `kill` to stop it.',
      });
    }
    await pause(15);
  }
}

function isAlive(pid: number): boolean {
  return isRunning(pid) && !isZombie(pid);
}

/** In a container, the first process may never reap orphans. */
function isZombie(pid: number): boolean {
  const stat = readIfExists(`/proc/${pid}/stat`);
  return stat?.charAt(stat.lastIndexOf(')') + 2) === 'Z';
}
