import { rmSync, watch, writeFileSync } from 'node:fs';
import { socketPath } from '../forwarder/home.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import { VERSION } from '../version.ts';
import { serveHttp } from './http.ts';
import { createHub, type Hub } from './hub.ts';
import { type OpenHome, openHome } from './open-home.ts';
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

/** Opens the home, takes in the spool, listens. Resolves when the daemon answers. */
export async function runDaemon(paths: HomePaths): Promise<Daemon> {
  const home = openHome(paths);
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

  async function shutDown(): Promise<void> {
    spoolWatch.close();
    rmSync(paths.daemon, { force: true });
    await Promise.all(listeners.map((listener) => listener.close()));
    home?.log('info', 'stopped');
    home?.close();
    finish();
  }

  const spoolWatch = watch(paths.spool, () => home.ingest());
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
  home.ingest();
  const http = await serveHttp(daemon, readToken(paths.token));
  daemon.info.http = http.url;
  listeners.push(http, await serveSocket(daemon.info.socket, hub.request));
  writeFileSync(paths.daemon, `${JSON.stringify(daemon.info)}\n`, { mode: 0o600 });
  home.log('info', 'started', { ...daemon.info });
  return daemon;
}
