import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { type Database, fileFault, openDatabase, type Row, type SqlValue } from './driver.ts';
import { EVENT_COLUMNS, SAFE_EVENT_COLUMNS } from './event-row.ts';
import { withFittingChecksums } from './log-frames.ts';
import { safeText, safeValue } from './safe-columns.ts';

/** A record as a damaged database has it: nothing of it is sure. */
export interface FoundRecord {
  /** Null for one from before there was a chain. */
  readonly link: number | null;
  readonly hash: string;
  readonly values: readonly SqlValue[];
}

/** Opens a copy of a database in which SQLite also reads what comes behind damage in the log. Gone after `work`. */
export function readingDamaged<T>(path: string, work: (db: Database) => T): T {
  const copy = `${path}.recovering`;
  const remove = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true });
  };
  remove();
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
    remove();
  }
}

const PAGE = 200;
/** So many rows that cannot be read one after the other are the end. */
const MOST_UNREADABLE = 5_000;

/** Every record that can be read, in the order of the rows. Around a damaged page it tries each row by itself. */
export function* readFound(db: Database): Generator<FoundRecord> {
  const columns = SAFE_EVENT_COLUMNS;
  const page = db.prepare(`SELECT ${columns} FROM events WHERE row > ? ORDER BY row LIMIT ${PAGE}`);
  const one = db.prepare(`SELECT ${columns} FROM events WHERE row = ?`);
  let after = 0;
  let unreadable = 0;
  for (;;) {
    const rows = attempt(() => page.all(after));
    if (rows?.length === 0) return;
    for (const row of rows ?? []) yield toFound(row);
    const last = rows?.at(-1);
    if (last) {
      after = Number(last.row);
      unreadable = 0;
      continue;
    }
    after += 1;
    const row = attempt(() => one.get(after));
    unreadable = row ? 0 : unreadable + 1;
    if (row) yield toFound(row);
    if (unreadable > MOST_UNREADABLE) return;
  }
}

/** Null where the page is damaged. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (fileFault(error) !== 'damaged') throw error;
    return null;
  }
}

function toFound(row: Row): FoundRecord {
  const values = EVENT_COLUMNS.map((column) => safeValue(row[column]));
  return { link: row.link === null ? null : Number(row.link), hash: safeText(row.hash) ?? '', values };
}
