import type { Database } from './database/driver.ts';

/** Result of a checkpoint, in pages. */
export interface Checkpointed {
  /** In the log. */
  readonly logged: number;
  /** Pages of the log that are now in the database. Once all of them are, the log restarts. */
  readonly moved: number;
}

/** Moves the part of the log that no reader needs, without waiting. */
export function checkpointedNow(db: Database): Checkpointed {
  const row = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  return { logged: Number(row?.log ?? 0), moved: Number(row?.checkpointed ?? 0) };
}

/** SQLite's own checkpoints delay the call that triggers them. On this connection they are only a backstop. */
export function leaveCheckpoints(db: Database): void {
  db.exec(`PRAGMA wal_autocheckpoint = ${BACKSTOP_PAGES}`);
}

const BACKSTOP_PAGES = 16_000;
