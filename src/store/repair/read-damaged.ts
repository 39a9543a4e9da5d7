import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { type Database, fileFault, openDatabase } from '../database/driver.ts';
import { type FoundRecord, foundRecord, SAFE_EVENT_COLUMNS } from '../read/event-columns.ts';
import { deleteDatabase } from './database-files.ts';
import { withFittingChecksums } from './log-frames.ts';

/** Opens a copy of a database in which SQLite also reads past damage in the log. The copy is deleted after `work`. */
export function readingDamaged<T>(path: string, work: (db: Database) => T): T {
  const copy = `${path}.recovering`;
  deleteDatabase(copy);
  try {
    if (existsSync(path)) copyFileSync(path, copy);
    const log = withFittingChecksums(`${path}-wal`);
    if (log !== null) writeFileSync(`${copy}-wal`, log, { mode: 0o600 });
    const db = openDatabase(copy, { readonly: true });
    try {
      return work(db);
    } finally {
      db.close();
    }
  } finally {
    deleteDatabase(copy);
  }
}

const PAGE = 200;
/** This many unreadable rows in sequence count as the end. */
const MOST_UNREADABLE = 5_000;

/** Every readable record, in row order. Around a damaged page it tries each row separately. */
export function* readFound(db: Database): Generator<FoundRecord> {
  const columns = SAFE_EVENT_COLUMNS;
  const page = db.prepare(`SELECT ${columns} FROM events WHERE row > ? ORDER BY row LIMIT ${PAGE}`);
  const one = db.prepare(`SELECT ${columns} FROM events WHERE row = ?`);
  let after = 0;
  let unreadable = 0;
  for (;;) {
    const rows = attempt(() => page.all(after));
    if (rows?.length === 0) return;
    for (const row of rows ?? []) yield foundRecord(row);
    const last = rows?.at(-1);
    if (last) {
      after = Number(last.row);
      unreadable = 0;
      continue;
    }
    after += 1;
    const row = attempt(() => one.get(after));
    unreadable = row ? 0 : unreadable + 1;
    if (row) yield foundRecord(row);
    if (unreadable > MOST_UNREADABLE) return;
  }
}

/** Null if the page is damaged. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (fileFault(error) !== 'damaged') throw error;
    return null;
  }
}
