import type { Database, Row } from '../database/driver.ts';
import { asBytes, asNumber, safeValue } from '../database/safe-columns.ts';

/** Copies the readable rows of a table that aren't there yet. */
export function copyTable(from: Database, to: Database, table: string): void {
  const columns = to
    .prepare(`SELECT name, type FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name, type }) => ({ name: String(name), isText: type === 'TEXT' }));
  const names = columns.map(({ name }) => name).join(', ');
  const marks = columns.map(() => '?').join(', ');
  const insert = to.prepare(`INSERT OR IGNORE INTO ${table} (${names}) VALUES (${marks})`);
  const select = columns.map(({ name, isText }) => (isText ? asBytes(name) : asNumber(name)));
  for (const row of readable(from, `SELECT ${select.join(', ')} FROM ${table}`)) {
    try {
      insert.run(...columns.map(({ name }) => safeValue(row[name])));
    } catch {
      // A row with damaged values; the others are still copied.
    }
  }
}

function readable(db: Database, sql: string): readonly Row[] {
  try {
    return db.prepare(sql).all();
  } catch {
    // Expected, because the database is damaged.
    return [];
  }
}

/** Updates the sessions from their events. */
export const SESSIONS_OF_EVENTS = `
  INSERT INTO sessions (source, session_id, sequence, prompt_number, tool_number, started_at, last_at, ended_at, cwd, project_id)
  SELECT source, session_id, max(sequence), max(prompt_number), max(tool_number), min(timestamp), max(timestamp),
    NULL, max(cwd), max(project_id)
  FROM events WHERE true GROUP BY source, session_id
  ON CONFLICT (source, session_id) DO UPDATE SET
    sequence = max(sequence, excluded.sequence),
    prompt_number = max(prompt_number, excluded.prompt_number),
    tool_number = max(tool_number, excluded.tool_number),
    started_at = min(started_at, excluded.started_at),
    last_at = max(last_at, excluded.last_at)`;
