// What most calls do without: it takes longer to load than all the rest of the forwarder.
export { isLocked } from '../home/daemon/lock.ts';
export { VERSION } from '../version.ts';
export { fallbackInThread, whenOrphaned } from './fallback-thread.ts';
export { startDaemonFirst } from './start.ts';
