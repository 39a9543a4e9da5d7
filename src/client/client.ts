import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { WebSocket } from 'ws';
import { isLocked } from '../daemon/lock.ts';
import { readIfThere } from '../home/config.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import { spawnDaemon } from './start.ts';

const daemonInfo = v.object({
  pid: v.number(),
  version: v.string(),
  socket: v.string(),
  http: v.string(),
  startedAt: v.string(),
});
export type DaemonInfo = v.InferOutput<typeof daemonInfo>;

const status = v.object({
  daemon: daemonInfo,
  events: v.number(),
  rules: v.number(),
  ruleProblems: v.array(v.object({ where: v.string(), message: v.string() })),
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
});
export type DaemonStatus = v.InferOutput<typeof status>;

const refusal = v.object({
  error: v.object({ code: v.string(), message: v.string(), hint: v.nullish(v.string()) }),
});

/** A running daemon, to be asked. */
export interface Client {
  readonly info: DaemonInfo;
  status(): Promise<DaemonStatus>;
  get(path: string): Promise<unknown>;
  post(path: string, body?: unknown): Promise<unknown>;
  /**
   * Calls when the live feed is open and whenever there is news, until the daemon goes or the signal says so. With
   * `surface` the daemon counts on somebody being there to answer.
   */
  follow(onNews: () => void, signal: AbortSignal, surface?: string): Promise<void>;
}

/** The daemon of a home, or null when none answers. */
export async function connect(paths: HomePaths): Promise<Client | null> {
  const text = readIfThere(paths.daemon);
  const token = readIfThere(paths.token)?.trim();
  if (!text || !token) return null;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), daemonInfo), text);
  if (!parsed.success) return null;
  const client = createClient(parsed.output, token);
  try {
    await client.status();
    return client;
  } catch {
    return null;
  }
}

function createClient(info: DaemonInfo, token: string): Client {
  const headers = { authorization: `Bearer ${token}` };

  async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${info.http}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new HooklineError('DAEMON_UNREACHABLE', `The daemon at ${info.http} does not answer.`, { cause });
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const { error } = v.parse(refusal, answer);
    const code = error.code === 'NOT_FOUND' ? 'NOT_FOUND' : 'DAEMON_UNREACHABLE';
    throw new HooklineError(code, error.message, error.hint ? { hint: error.hint } : {});
  }

  return {
    info,
    status: async () => v.parse(status, await ask('GET', '/api/status')),
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    follow: (onNews, signal, surface) =>
      new Promise((resolve) => {
        const query = surface === undefined ? '' : `?surface=${encodeURIComponent(surface)}`;
        const socket = new WebSocket(`${info.http.replace('http', 'ws')}/api/feed${query}`, { headers });
        const leave = () => socket.close();
        signal.addEventListener('abort', leave);
        socket.on('open', onNews);
        socket.on('message', onNews);
        socket.on('error', leave);
        socket.on('close', () => {
          signal.removeEventListener('abort', leave);
          resolve();
        });
      }),
  };
}

const START_DEADLINE_MS = 15_000;

/** The daemon of a home, started if need be. */
export async function connectOrStart(paths: HomePaths): Promise<{ client: Client; started: boolean }> {
  const running = await connect(paths);
  if (running) return { client: running, started: false };
  let child = spawnDaemon(paths);
  let wasTaken = false;
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    const client = await connect(paths);
    if (client) return { client, started: client.info.pid === child.pid };
    if (child.exitCode !== null) {
      // Another process has the home: a daemon that is about to answer, or one that is about to leave.
      if (isLocked(paths.lock)) wasTaken = true;
      else if (!wasTaken) break;
      else {
        wasTaken = false;
        child = spawnDaemon(paths);
      }
    }
    await pause(25);
  }
  const said = readFileSync(join(paths.log, 'daemon.out'), 'utf8').trim();
  throw new HooklineError('DAEMON_START', `The daemon did not start.${said ? `\n${said}` : ''}`, {
    hint: `See ${join(paths.log, 'daemon.log')}, or run \`hookline daemon\` to watch it start.`,
  });
}

/** Asks the daemon to stop and waits until it is gone. False when there was none. */
export async function stopDaemon(paths: HomePaths): Promise<boolean> {
  const deadline = Date.now() + START_DEADLINE_MS;
  let stopped = false;
  // Who has the lock is a daemon, also while it starts and does not answer yet.
  while (existsSync(paths.lock) && isLocked(paths.lock)) {
    const client = await connect(paths);
    if (client) {
      stopped = true;
      await shutDown(client, deadline);
    } else if (Date.now() > deadline) {
      throw new HooklineError('DAEMON_UNREACHABLE', `A process has ${paths.root} and does not answer.`, {
        hint: `See ${join(paths.log, 'daemon.log')} for its pid, and stop it with \`kill\` if it has to go.`,
      });
    } else {
      await pause(25);
    }
  }
  return stopped;
}

async function shutDown(client: Client, deadline: number): Promise<void> {
  // It may leave before it answers: what counts is that it is gone.
  await client.post('/api/shutdown').catch(() => {});
  while (isAlive(client.info.pid)) {
    if (Date.now() > deadline) {
      throw new HooklineError('DAEMON_UNREACHABLE', `The daemon (pid ${client.info.pid}) does not stop.`, {
        hint: 'It may be waiting for an answer to an approval. Stop it with `kill` if it has to go.',
      });
    }
    await pause(15);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** In a container the first process may never collect the dead that were left to it. */
function isZombie(pid: number): boolean {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat?.charAt(stat.lastIndexOf(')') + 2) === 'Z';
}
