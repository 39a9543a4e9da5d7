import { spawnDaemon } from '../home/daemon/start-daemon.ts';
import { startBegan } from '../home/daemon/start-mark.ts';
import { requireOwnHome } from '../home/ownership.ts';
import { type HomePaths, homePaths } from '../home/paths.ts';

/** Starts the daemon of a home without waiting. */
export function startDaemon(paths: HomePaths): void {
  startBegan(paths, spawnDaemon(paths).pid);
}

/** The same before any other check. Throws if others can write to the home, which the daemon would reject too. */
export function startDaemonFirst(home: string): void {
  const paths = homePaths(home);
  requireOwnHome(paths);
  startDaemon(paths);
}
