import { closeSync, openSync, renameSync } from 'node:fs';
import { lastLink, type MachineSigner } from '../chain/chain.ts';
import type { Database } from '../database/driver.ts';
import { closeStore, openStore } from '../database/open.ts';
import { damageOf, structureProblem } from './damage.ts';
import { deleteDatabase } from './database-files.ts';
import { type Salvage, seedDatabase } from './seed-database.ts';
import { setAside } from './set-aside.ts';

/** A new database in place of a lost one. */
interface Rebuilt {
  readonly db: Database;
  /** New location of the file that was at the path; null if there was none. */
  readonly aside: string | null;
  /** All records are in it. */
  readonly complete: boolean;
}

interface Rebuilding extends Salvage {
  readonly path: string;
  readonly signer: MachineSigner;
  /** The open file is as we wrote it, only no longer at the path. */
  readonly intact: boolean;
}

/**
 * Creates a new database next to the lost one, then moves it into place. It is complete if the connection still open
 * can supply everything; otherwise it has what is known. A crash in between leaves one of the two, and the noted head
 * of the chain shows what is missing.
 */
export function rebuild(lost: Rebuilding): Rebuilt {
  const { path, old } = lost;
  const draft = `${path}.new`;
  const complete = copyAll(lost, draft);
  if (!complete) {
    deleteDatabase(draft);
    const begun = openStore(draft);
    seedDatabase(begun, lost, lost.signer);
    closeStore(begun);
  }
  const aside = setAside(path);
  renameSync(draft, path);
  // Empty by now; a driver that closes late leaves them behind.
  deleteDatabase(draft);
  const db = openStore(path);
  try {
    // SQLite notices that its file was moved, and leaves both logs alone.
    old?.close();
  } catch {
    // Its content is on disk or lost.
  }
  return { db, aside, complete };
}

/** False if not everything could be copied. */
function copyAll({ old, head, signer, intact }: Rebuilding, draft: string): boolean {
  if (old === null) return false;
  try {
    deleteDatabase(draft);
    closeSync(openSync(draft, 'wx', 0o600));
    old.prepare('VACUUM INTO ?').run(draft);
    const copy = openStore(draft);
    try {
      if (intact) return structureProblem(copy) === null && lastLink(copy).link >= head.link;
      return damageOf(copy, head, signer.publicKey()) === null;
    } finally {
      closeStore(copy);
    }
  } catch {
    return false;
  }
}
