import { rmSync, watch } from 'node:fs';
import { readDaemonInfo } from '../home/daemon/daemon-info.ts';
import { type OpenHome, openHome } from '../home/open.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError, messageOf } from '../model/errors.ts';
import type { Access } from '../model/people/access.ts';
import { counted } from '../model/text.ts';
import type { RunningChannel } from '../notify/run-channel.ts';
import { writePrivateFile } from '../platform/files.ts';
import { isRunning } from '../platform/processes.ts';
import { VERSION } from '../version.ts';
import { apiSocketPath, socketFolderProblem, socketPath } from '../wire/socket-path.ts';
import { serveApi } from './api-socket.ts';
import { type CallHandler, createCallHandler } from './call-handler.ts';
import { createWebAccess, type WebAccess } from './http/browser-access.ts';
import { newToken } from './http/token.ts';
import { serveHttp } from './http.ts';
import { openDaemonAccess } from './open-access.ts';
import { openChannels } from './open-channels.ts';
import { type DaemonFleet, openDaemonFleet } from './open-fleet.ts';
import { createPhone, type Phone } from './phone/phone.ts';
import { createPeerFinder, nativeProgram } from './socket/peer.ts';
import { type Listener, serveSocket } from './socket/socket.ts';
import { identityOf, watchHome } from './watch/home-watch.ts';
import { startRetention } from './watch/retention.ts';
import { watchChanges } from './watch/watch-changes.ts';
import { loginPath } from './web/page.ts';

/** What a daemon says of itself, in `run/daemon.json` and in `status --json`. */
interface DaemonInfo {
  readonly pid: number;
  readonly version: string;
  readonly socket: string;
  readonly http: string;
  readonly startedAt: string;
}

export interface Daemon {
  readonly home: OpenHome;
  readonly hub: CallHandler;
  readonly info: DaemonInfo;
  /** Who may decide. */
  readonly access: Access;
  /** Where one can answer from elsewhere. */
  readonly channels: readonly RunningChannel[];
  /** Paired devices elsewhere, and the listener for them. */
  readonly phone: Phone;
  /** The machines that this one works together with. */
  readonly fleet: DaemonFleet;
  /** A link that lets one browser into the dashboard, once. */
  dashboardLink(): string;
  /** Resolves when the daemon has stopped, for any reason. */
  readonly stopped: Promise<void>;
  stop(): Promise<void>;
}

/** Its address is not known before it listens, and nothing is sent before that. */
interface StartingDaemon extends Daemon {
  readonly info: DaemonInfo & { http: string };
  channels: readonly RunningChannel[];
}

/** What a daemon is made of, where it is not the usual. */
interface DaemonParts {
  readonly access?: Access;
  /** Finds the program that can tell who is at the other end of a connection. */
  readonly native?: () => string | null;
  /** The system that it runs on. */
  readonly platform?: NodeJS.Platform;
  /** Called when the home is gone, and the daemon stops for it. */
  readonly lost?: () => void;
}

/** A command that reads the history without a daemon has the home for a moment; a daemon keeps it. */
const LOCK_WAIT_MS = 1_000;
const LOCK_TRY_MS = 50;

/** Opens the home, takes in the spool, listens. Resolves when the daemon answers. */
export async function runDaemon(paths: HomePaths, parts: DaemonParts = {}): Promise<Daemon> {
  const home = takeHome(paths);
  const hub = createCallHandler(home);
  const access = parts.access ?? openDaemonAccess(home, hub);
  const web = createWebAccess();
  const phone = createPhone({ home, hub }, () => daemon);
  const listeners: Listener[] = [phone];
  const endings = [watchSpool(home, hub), startRetention(home), watchChanges(home, hub), hub.away.stop];
  const watched = watchHome(paths, () => void stop());

  const { stop, stopped } = stoppable(async () => {
    watched.stop();
    for (const end of endings) end();
    withdrawAll(home, hub);
    // Calls that wait for a hook are answered without it.
    home.hooks.close();
    if (watched.isLost) parts.lost?.();
    // In a home that was deleted, they may be those of the next one.
    else for (const file of [paths.daemon, paths.token]) rmSync(file, { force: true });
    await Promise.all([...listeners, daemon.fleet].map((one) => one.close()));
    closeHome(home, hub);
  });

  const daemon: StartingDaemon = {
    home,
    hub,
    access,
    channels: [],
    phone,
    fleet: openDaemonFleet(home, hub),
    dashboardLink: () => `${daemon.info.http}${loginPath(web)}`,
    info: infoOf(paths),
    stopped,
    stop,
  };
  try {
    hub.ingest();
    await listen(daemon, listeners, web, parts);
    endings.push(openDaemonChannels(daemon));
    watched.heal(() => heal(daemon, listeners));
  } catch (error) {
    // What listens or watches would keep the process, and with it the home.
    await daemon.stop();
    throw error;
  }
  home.log('info', 'started', { ...daemon.info });
  loadHooks(home);
  return daemon;
}

function withdrawAll({ log }: OpenHome, { approvals }: CallHandler): void {
  try {
    approvals.queue.withdraw(() => true, 'the daemon stops');
  } catch (error) {
    // Where the home is gone, nothing can be written down any more; the daemon ends all the same.
    log('warning', `can't withdraw pending approvals: ${messageOf(error)}`);
  }
}

/** Refusals that a full disk kept out of the record are only in memory: there may be room for them by now. */
function closeHome({ log, close }: OpenHome, { unrecorded }: CallHandler): void {
  try {
    unrecorded.retry();
  } catch (error) {
    log('warning', `can't record queued calls: ${messageOf(error)}`);
  }
  const { waiting } = unrecorded.count();
  if (waiting > 0) log('error', `can't record ${counted(waiting, 'call')}: the disk is full`);
  log('info', 'stopped');
  close();
}

function infoOf({ root }: HomePaths): StartingDaemon['info'] {
  return {
    pid: process.pid,
    version: VERSION,
    socket: socketPath(root),
    http: '',
    startedAt: new Date().toISOString(),
  };
}

/** Now, so that the first call does not wait for it. `status` shows what is wrong with them. */
function loadHooks({ hooks }: OpenHome): void {
  void (async () => hooks.hooksFor(null))().catch(() => {});
}

/** Gives the way to close them. */
function openDaemonChannels(daemon: StartingDaemon): () => void {
  const { home, hub, info } = daemon;
  const { running, close } = openChannels(home, hub, () => home.config.notify.link ?? `${info.http}/`);
  daemon.channels = running;
  return close;
}

function writeInfo({ home, info }: Daemon): void {
  writePrivateFile(home.paths.daemon, `${JSON.stringify(info)}\n`);
}

/** Puts back what was deleted under a daemon that goes on. */
async function heal(daemon: Daemon, listeners: readonly Listener[]): Promise<void> {
  const { log, paths } = daemon.home;
  try {
    for (const listener of listeners)
      if (await listener.heal?.()) log('warning', 'the socket was deleted, so the daemon listens again');
    if (identityOf(paths.daemon) === null) writeInfo(daemon);
  } catch (error) {
    log('warning', `can't restore files deleted while the daemon runs: ${messageOf(error)}`);
  }
}

function takeHome(paths: HomePaths): OpenHome {
  const deadline = Date.now() + LOCK_WAIT_MS;
  do {
    const home = openHome(paths, LOCK_TRY_MS);
    if (home) return home;
    // Not for a daemon that answers: who stops it would find this one in its place.
  } while (Date.now() < deadline && !isServed(paths));
  throw new HooklineError('DAEMON_RUNNING', `Another daemon already serves ${paths.root}.`, {
    hint: 'Run `hookline status` to see it or `hookline down` to stop it.',
  });
}

/** Does the daemon that left its address here still run? */
function isServed(paths: HomePaths): boolean {
  const pid = readDaemonInfo(paths)?.pid ?? null;
  return pid !== null && isRunning(pid);
}

/** Stops once, however often it is asked to. */
function stoppable(shutDown: () => Promise<void>): Pick<Daemon, 'stop' | 'stopped'> {
  let finish = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let stopping: Promise<void> | null = null;
  return {
    stopped,
    stop() {
      stopping ??= shutDown().then(finish);
      return stopping;
    },
  };
}

/** Adds each listener as soon as it listens, so that a failure of the next one leaves none behind. */
async function listen(
  daemon: StartingDaemon,
  listeners: Listener[],
  web: WebAccess,
  { native = nativeProgram, platform = process.platform }: DaemonParts,
): Promise<void> {
  const { paths, confirmed } = daemon.home;
  if (platform === 'darwin') confirmed.recognisesPeople(native() !== null);
  const http = await serveHttp(daemon, newToken(paths.token), web);
  listeners.push(http);
  daemon.info.http = http.url;
  listeners.push(await serveSocket(daemon.info.socket, daemon.hub, daemon.hub.intake));
  const peers = createPeerFinder({ program: native, folder: paths.run });
  listeners.push(await serveApi(daemon, apiSocketPath(paths.root), web, peers));
  const untrusted = socketFolderProblem(paths.root);
  if (untrusted !== null) {
    throw new HooklineError('DAEMON_START', `${untrusted}, so no forwarder would trust a socket in it.`, {
      hint: 'Remove that directory, or set HOOKLINE_HOME to a shorter path.',
    });
  }
  writeInfo(daemon);
  await daemon.phone.follow();
}

/** Gives the way to stop. Where the system has no watch left, the spool is taken in at the next start or query. */
function watchSpool(home: OpenHome, hub: CallHandler): () => void {
  const failed = (error: unknown) => home.log('warning', `the spool is not watched: ${messageOf(error)}`);
  try {
    const watcher = watch(home.paths.spool, () => hub.ingest()).on('error', failed);
    return () => watcher.close();
  } catch (error) {
    failed(error);
    return () => {};
  }
}
