import { spawnDaemon } from '../home/daemon/start-daemon.ts';
import { startBegan } from '../home/daemon/start-mark.ts';
import { requireOwnHome } from '../home/ownership.ts';
import { type HomePaths, homePaths } from '../home/paths.ts';

/** Starts the daemon of a home, which is ours to start, and does not wait. */
export function startDaemon(paths: HomePaths): void {
  startBegan(paths, spawnDaemon(paths).pid);
}

/** The same before anything else was looked at. Throws where others can write to the home: it would refuse, too. */
export function startDaemonFirst(home: string): void {
  const paths = homePaths(home);
  requireOwnHome(paths);
  startDaemon(paths);
}
