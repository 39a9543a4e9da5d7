import type { KeyObject } from 'node:crypto';
import { messageOf } from '../../model/errors.ts';
import { type Link, lastLink } from '../chain/chain.ts';
import { verifyStore } from '../chain/verify-chain.ts';
import { type Database, isBusy, openDatabase } from '../database/driver.ts';
import { sizeOf } from '../database/size.ts';
import { firstDamagedFrame } from './log-frames.ts';

/** Above this size a check would delay calls for too long. */
const MOST_BYTES = 256 << 20;

/** Returns what is wrong with a database and its log on disk, if anything. */
export function damageIn(path: string, head: Link, key: KeyObject): string | null {
  const frame = firstDamagedFrame(`${path}-wal`);
  if (frame !== null) return `its log is damaged (frame ${frame})`;
  try {
    // Another connection reads from disk what ours may have in memory.
    const db = openDatabase(path, { readonly: true });
    try {
      return damageOf(db, head, key);
    } finally {
      db.close();
    }
  } catch (error) {
    if (isBusy(error)) throw error;
    return messageOf(error);
  }
}

/** The same through an open connection. */
export function damageOf(db: Database, head: Link, key: KeyObject): string | null {
  const { link } = lastLink(db);
  if (link < head.link) return `it ends at link ${link} of ${head.link}`;
  if (sizeOf(db) > MOST_BYTES) return null;
  const structure = structureProblem(db);
  if (structure !== null) return structure;
  const [problem] = verifyStore(db, key).problems.filter(({ what }) => what !== 'checkpoint');
  return problem?.message ?? null;
}

/** What SQLite's own check reports. */
export function structureProblem(db: Database): string | null {
  const [said] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
  return said === 'ok' ? null : (String(said).split('\n')[0] ?? '');
}
