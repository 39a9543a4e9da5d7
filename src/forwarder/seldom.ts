// Rarely needed code, loaded on demand: it takes longer to load than the rest of the forwarder.
export { isLocked } from '../home/daemon/lock.ts';
export { VERSION } from '../version.ts';
export { fallbackInThread, whenOrphaned } from './fallback-thread.ts';
export { startDaemonFirst } from './start.ts';
