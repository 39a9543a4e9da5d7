import {
  CHECKPOINT_EVERY,
  checkpointWriter,
  type Link,
  type LinkedRow,
  type MachineSigner,
  START,
} from './chain.ts';
import { writeLostGap } from './chain-gaps.ts';
import type { Database, SqlValue } from './driver.ts';
import { INSERT_EVENT } from './event-row.ts';

/** What is known of a database that is lost. */
export interface Known {
  /** The lost database, as far as it can be read; null where nothing can. */
  readonly old: Database | null;
  /** The newest place that was given. */
  readonly head: Link;
  /** The newest records. */
  readonly recent: readonly LinkedRow[];
}

/** Writes what is known into a new database, so that places in the chain and in sessions go on. */
export function beginAgain(db: Database, { old, head, recent }: Known, signer: MachineSigner): void {
  const carried = old === null ? [] : CARRIED.map((table) => ({ table, rows: readable(old, table) }));
  db.transaction(() => {
    for (const { table, rows } of carried) insertAll(db, table, rows);
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

/** Small, and not to be found out again from events. */
const CARRIED = ['sessions', 'waiting_context', 'approvals', 'transcripts'] as const;

type Rows = readonly Readonly<Record<string, SqlValue>>[];

function readable(db: Database, table: string): Rows {
  try {
    return db.prepare(`SELECT * FROM ${table}`).all();
  } catch {
    // It is damaged, which is why we are here.
    return [];
  }
}

function insertAll(db: Database, table: string, rows: Rows): void {
  const known = new Set(
    db
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name),
  );
  for (const row of rows) {
    const columns = Object.keys(row).filter((name) => known.has(name));
    const marks = columns.map(() => '?').join(', ');
    try {
      db.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`).run(
        ...columns.map((name) => row[name] ?? null),
      );
    } catch {
      // A row whose values are damaged; the others count.
    }
  }
}

/** Sessions that could not be read, by their newest events. */
const SESSIONS_OF_EVENTS = `
  INSERT INTO sessions (source, session_id, sequence, prompt_number, tool_number, started_at, last_at, ended_at, cwd, project_id)
  SELECT source, session_id, max(sequence), max(prompt_number), max(tool_number), min(timestamp), max(timestamp),
    NULL, max(cwd), max(project_id)
  FROM events WHERE true GROUP BY source, session_id
  ON CONFLICT (source, session_id) DO UPDATE SET
    sequence = max(sequence, excluded.sequence),
    prompt_number = max(prompt_number, excluded.prompt_number),
    tool_number = max(tool_number, excluded.tool_number),
    last_at = max(last_at, excluded.last_at)`;
