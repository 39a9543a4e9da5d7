import type { Database, Row } from './driver.ts';
import { readMigrations, versionOf } from './migrate.ts';
import { openScratchStore } from './open.ts';
import { safeText } from './safe-columns.ts';

/** A part of the schema that is not as the migrations make it. A trigger could keep calls from being recorded. */
export interface ForeignPart {
  /** `table`, `index`, `trigger` or `view`. */
  readonly type: string;
  readonly name: string;
  /** How the migrations make it; null for what they do not make. */
  readonly sql: string | null;
  /** For display. */
  readonly message: string;
}

// As bytes: in a damaged database they may be no text.
const PARTS = `SELECT CAST(type AS BLOB) AS type, CAST(name AS BLOB) AS name, CAST(sql AS BLOB) AS sql
  FROM sqlite_master WHERE sql IS NOT NULL`;

/** Made by SQLite itself, each version in its own words: those of the search, and what it counted. */
const OF_SQLITE = /^table (?:observation_text_|turn_text_|sqlite_)/;

/** Whatever is there and should not be, is another one, or is missing. */
export function foreignParts(db: Database): readonly ForeignPart[] {
  const wanted = wantedParts(db);
  const found = partsOf(db);
  const names = new Set([...wanted.keys(), ...found.keys()]);
  return [...names].flatMap((key) => {
    const sql = wanted.get(key) ?? null;
    if (sql === (found.get(key) ?? null) || OF_SQLITE.test(key)) return [];
    const [type = '', ...name] = key.split(' ');
    // An additional table is unused, except by a trigger or view, which is reported.
    if (type === 'table' && sql === null) return [];
    const what = sql === null ? 'is not one of ours' : found.has(key) ? 'is another one' : 'is gone';
    return [{ type, name: name.join(' '), sql, message: `The ${key} of the database ${what}.` }];
  });
}

/** Makes it again as the migrations do, where that loses nothing. Gives what it found and changed. */
export function restoreSchema(db: Database): readonly ForeignPart[] {
  const parts = foreignParts(db).filter(({ type }) => type !== 'table');
  if (parts.length === 0) return parts;
  db.transaction(() => {
    for (const { type, name, sql } of parts) {
      db.exec(`DROP ${type.toUpperCase()} IF EXISTS "${name.replaceAll('"', '""')}"`);
      if (sql !== null) db.exec(sql);
    }
  });
  return parts;
}

/**
 * The number that says which migrations a database has, where its tables tell that it has exactly ours: one number in
 * the file must not keep the daemon from starting. One that has more is of a newer Hookline, and not ours to touch.
 * Gives what it found and changed.
 */
export function restoreVersion(db: Database): readonly Pick<ForeignPart, 'message'>[] {
  const latest = readMigrations().at(-1)?.version ?? 0;
  const version = versionOf(db);
  if (version === latest || foreignParts(db).some(({ type }) => type === 'table')) return [];
  const wanted = wantedParts(db);
  const hasMore = [...partsOf(db).keys()].some((key) => !wanted.has(key) && !OF_SQLITE.test(key));
  if (version > latest && hasMore) return [];
  db.exec(`PRAGMA user_version = ${latest}`);
  return [{ message: `The version of the database was ${version} instead of ${latest}.` }];
}

let made: ReadonlyMap<string, string> | null = null;

function wantedParts({ driver }: Database): ReadonlyMap<string, string> {
  if (made !== null) return made;
  const scratch = openScratchStore({ driver });
  try {
    made = partsOf(scratch);
    return made;
  } finally {
    scratch.close();
  }
}

/** By kind and name. */
function partsOf(db: Database): ReadonlyMap<string, string> {
  const text = (row: Row, column: string) => safeText(row[column]) ?? '';
  const rows = db.prepare(PARTS).all();
  return new Map(rows.map((row) => [`${text(row, 'type')} ${text(row, 'name')}`, text(row, 'sql')]));
}
