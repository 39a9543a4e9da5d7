import type { Database } from './driver.ts';

/** What an answered call survives. */
export const DURABILITIES = ['process', 'power'] as const;
export type Durability = (typeof DURABILITIES)[number];

/**
 * In WAL mode, NORMAL lets the system decide when a commit reaches the disk, so it survives the process. FULL syncs
 * each commit. Calls of one turn of the event loop share the wait.
 */
const SYNCHRONOUS: Readonly<Record<Durability, string>> = { process: 'NORMAL', power: 'FULL' };

/** Runs outside of a transaction, where SQLite would ignore it. */
export function setDurability(db: Database, durability: Durability): void {
  db.exec(`PRAGMA synchronous = ${SYNCHRONOUS[durability]}`);
}
