import {
  CHECKPOINT_EVERY,
  checkpointWriter,
  type Link,
  type LinkedRow,
  type MachineSigner,
  START,
} from '../chain/chain.ts';
import { writeLostGap } from '../chain/gaps.ts';
import type { Database } from '../database/driver.ts';
import { INSERT_EVENT } from '../read/event-columns.ts';
import { copyTable, SESSIONS_OF_EVENTS } from './copy-tables.ts';

/** What remains of a lost database. */
export interface Salvage {
  /** The lost database, as far as it is readable; null if nothing is. */
  readonly old: Database | null;
  /** The newest assigned place. */
  readonly head: Link;
  /** The newest records. */
  readonly recent: readonly LinkedRow[];
}

/** Small, and can't be derived from events. */
const CARRIED = ['sessions', 'waiting_context', 'approvals', 'transcripts'] as const;

/** Writes the remains into a new database, so that places in the chain and in sessions continue. */
export function seedDatabase(db: Database, { old, head, recent }: Salvage, signer: MachineSigner): void {
  db.transaction(() => {
    if (old !== null) for (const table of CARRIED) copyTable(old, db, table);
    const before = recent[0] ? { link: recent[0].link - 1, hash: recent[0].before } : head;
    if (before.link > START.link)
      writeLostGap(db, { first: START.link + 1, last: before.link, hash: before.hash }, signer);
    const insert = db.prepare(INSERT_EVENT);
    const sign = checkpointWriter(db, signer);
    for (const { row, link, hash } of recent) {
      insert.run(...row, link, hash);
      if (link % CHECKPOINT_EVERY === 0) sign({ link, hash });
    }
    db.exec(SESSIONS_OF_EVENTS);
  });
}
