import type { Database } from './driver.ts';

/** What a call that was answered survives. */
export const DURABILITIES = ['process', 'power'] as const;
export type Durability = (typeof DURABILITIES)[number];

/**
 * In WAL mode NORMAL leaves it to the system when a commit reaches the disk: it is there whatever happens to the
 * process. FULL waits for the disk with each commit. Calls of one turn share the wait.
 */
const SYNCHRONOUS: Readonly<Record<Durability, string>> = { process: 'NORMAL', power: 'FULL' };

/** Outside of a transaction, where SQLite would ignore it. */
export function setDurability(db: Database, durability: Durability): void {
  db.exec(`PRAGMA synchronous = ${SYNCHRONOUS[durability]}`);
}
