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

/** The daemon's info, in `run/daemon.json` and `status --json`. */
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
  /** Channels for answering remotely. */
  readonly channels: readonly RunningChannel[];
  /** Paired remote devices, and the listener for them. */
  readonly phone: Phone;
  /** The connected machines. */
  readonly fleet: DaemonFleet;
  /** A link that admits one browser to the dashboard, once. */
  dashboardLink(): string;
  /** Resolves when the daemon has stopped, for any reason. */
  readonly stopped: Promise<void>;
  stop(): Promise<void>;
}

/** Its address is unknown before it listens, and nothing is sent before that. */
interface StartingDaemon extends Daemon {
  readonly info: DaemonInfo & { http: string };
  channels: readonly RunningChannel[];
}

/** Parts of a daemon that differ from the default. */
interface DaemonParts {
  readonly access?: Access;
  /** Finds the native program that identifies the peer of a connection. */
  readonly native?: () => string | null;
  /** The operating system. */
  readonly platform?: NodeJS.Platform;
  /** Called when the home is gone and the daemon stops for that reason. */
  readonly lost?: () => void;
}

/** A command that reads the history without a daemon holds the home only briefly; a daemon keeps it. */
const LOCK_WAIT_MS = 1_000;
const LOCK_TRY_MS = 50;

/** Opens the home, imports the spool and listens. Resolves once the daemon answers. */
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
    // Calls waiting for a hook are answered without it.
    home.hooks.close();
    if (watched.isLost) parts.lost?.();
    // If the home was deleted, these files may belong to its successor.
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
    // Open listeners and watchers would keep the process alive, and the home with it.
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
    // If the home is gone, nothing can be written any more; the daemon ends anyway.
    log('warning', `can't withdraw pending approvals: ${messageOf(error)}`);
  }
}

/** Denials that a full disk kept out of the history are only in memory; there may be room by now. */
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

/** Loaded now, so that the first call doesn't wait. `status` reports broken hooks. */
function loadHooks({ hooks }: OpenHome): void {
  void (async () => hooks.hooksFor(null))().catch(() => {});
}

/** Returns the function that closes them. */
function openDaemonChannels(daemon: StartingDaemon): () => void {
  const { home, hub, info } = daemon;
  const { running, close } = openChannels(home, hub, () => home.config.notify.link ?? `${info.http}/`);
  daemon.channels = running;
  return close;
}

function writeInfo({ home, info }: Daemon): void {
  writePrivateFile(home.paths.daemon, `${JSON.stringify(info)}\n`);
}

/** Restores what was deleted while the daemon runs. */
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
    // Doesn't wait if a running daemon answers: once that one is stopped, this one would take its place.
  } while (Date.now() < deadline && !isServed(paths));
  throw new HooklineError('DAEMON_RUNNING', `Another daemon already serves ${paths.root}.`, {
    hint: 'Run `hookline status` to see it or `hookline down` to stop it.',
  });
}

/** True if the daemon whose address is stored here still runs. */
function isServed(paths: HomePaths): boolean {
  const pid = readDaemonInfo(paths)?.pid ?? null;
  return pid !== null && isRunning(pid);
}

/** Stops only once, however often it is called. */
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

/** Adds each listener as soon as it listens, so that a later failure leaves none behind. */
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

/**
 * Returns the function that stops it. If the system has no file watch left, the spool is imported at the next start
 * or query.
 */
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
