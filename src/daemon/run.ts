import { type FSWatcher, rmSync, watch, writeFileSync } from 'node:fs';
import { socketFolderProblem, socketPath } from '../forwarder/home.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import { VERSION } from '../version.ts';
import { serveHttp } from './http.ts';
import { createHub, type Hub } from './hub.ts';
import { type OpenHome, openHome } from './open-home.ts';
import { keepWithin } from './retention.ts';
import { type Listener, serveSocket } from './socket.ts';
import { readToken } from './token.ts';

/** What a daemon says of itself, in `run/daemon.json` and in `status --json`. */
export interface DaemonInfo {
  readonly pid: number;
  readonly version: string;
  readonly socket: string;
  readonly http: string;
  readonly startedAt: string;
}

export interface Daemon {
  readonly home: OpenHome;
  readonly hub: Hub;
  readonly info: DaemonInfo;
  /** Resolves when the daemon has stopped, whoever stopped it. */
  readonly stopped: Promise<void>;
  stop(): Promise<void>;
}

/** A command that reads the history without a daemon has the home for a moment; a daemon has it for good. */
const LOCK_WAIT_MS = 1_000;

/** Opens the home, takes in the spool, listens. Resolves when the daemon answers. */
export async function runDaemon(paths: HomePaths): Promise<Daemon> {
  const home = openHome(paths, LOCK_WAIT_MS);
  if (!home) {
    throw new HooklineError('DAEMON_RUNNING', `Another daemon serves ${paths.root}.`, {
      hint: '`hookline status` shows it, `hookline down` stops it.',
    });
  }
  const hub = createHub(home);
  const listeners: Listener[] = [];
  let finish = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let stopping: Promise<void> | null = null;
  const spoolWatch = watchSpool(home, hub);
  const stopPruning = keepWithin(home);

  async function shutDown(): Promise<void> {
    spoolWatch?.close();
    stopPruning();
    hub.people.desk.withdraw(() => true, 'the daemon stops');
    // Calls that wait for a hook are answered without it.
    home?.hooks.close();
    rmSync(paths.daemon, { force: true });
    await Promise.all(listeners.map((listener) => listener.close()));
    home?.log('info', 'stopped');
    home?.close();
    finish();
  }

  const daemon = {
    home,
    hub,
    info: {
      pid: process.pid,
      version: VERSION,
      socket: socketPath(paths.root),
      http: '',
      startedAt: new Date().toISOString(),
    },
    stopped,
    stop: () => {
      stopping ??= shutDown();
      return stopping;
    },
  };
  try {
    hub.ingest();
    const http = await serveHttp(daemon, readToken(paths.token));
    listeners.push(http);
    daemon.info.http = http.url;
    listeners.push(await serveSocket(daemon.info.socket, hub));
    const untrusted = socketFolderProblem(paths.root);
    if (untrusted !== null) {
      throw new HooklineError('DAEMON_START', `${untrusted}, so no forwarder would trust a socket in it.`, {
        hint: 'Remove that folder, or choose a HOOKLINE_HOME with a shorter path.',
      });
    }
    writeFileSync(paths.daemon, `${JSON.stringify(daemon.info)}\n`, { mode: 0o600 });
  } catch (error) {
    // What listens or watches would keep the process, and with it the home, for ever.
    await daemon.stop();
    throw error;
  }
  home.log('info', 'started', { ...daemon.info });
  // Loaded now, so that the first call does not wait for it. What is wrong with them is told by status.
  void home.hooks.hooksFor(null).catch(() => {});
  return daemon;
}

/** Null where the system has no watch left: the spool is then taken in at the next start or query. */
function watchSpool(home: OpenHome, hub: Hub): FSWatcher | null {
  const failed = (error: unknown) => {
    home.log('warning', `the spool is not watched: ${error instanceof Error ? error.message : error}`);
    return null;
  };
  try {
    return watch(home.paths.spool, () => hub.ingest()).on('error', failed);
  } catch (error) {
    return failed(error);
  }
}
