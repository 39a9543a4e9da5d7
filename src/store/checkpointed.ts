import type { Database } from './database/driver.ts';

/** What a checkpoint came to, in pages. */
export interface Checkpointed {
  /** In the log. */
  readonly logged: number;
  /** Of those in the log, the ones that are in the database now. With all of them there, the log restarts. */
  readonly moved: number;
}

/** Moves of the log what no reader needs there, without waiting for anyone. */
export function checkpointedNow(db: Database): Checkpointed {
  const row = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  return { logged: Number(row?.log ?? 0), moved: Number(row?.checkpointed ?? 0) };
}

/** SQLite's own checkpoints delay the call after which they come: this connection makes them only as a backstop. */
export function leaveCheckpoints(db: Database): void {
  db.exec(`PRAGMA wal_autocheckpoint = ${BACKSTOP_PAGES}`);
}

const BACKSTOP_PAGES = 16_000;
