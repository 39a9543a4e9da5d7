import { OWN_SOURCE } from '../../model/people/access.ts';
import { minuteOf, oneLine } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { conditions, whereClause } from '../../store/read/conditions.ts';

/** What a person or an agent wanted remembered. */
export interface Note {
  /** The session it is kept as, by which it can be forgotten. */
  readonly id: string;
  readonly text: string;
  readonly by: string;
  readonly at: number;
  readonly projectId: string | null;
}

interface NoteFilter {
  readonly project?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

const LONGEST_LINE = 500;

/** On one line, as long as a note should be. */
export function noteLine({ text, by, at }: Note): string {
  return `${oneLine(text, LONGEST_LINE)} (${oneLine(by)}, ${minuteOf(at)})`;
}

/** The newest first. */
export function listNotes(db: Database, { project, since, until, limit }: NoteFilter): readonly Note[] {
  const given = conditions(
    ['s.source = ?', OWN_SOURCE],
    ['o.kind = ?', 'note'],
    ['s.project_id = ?', project],
    ['o.timestamp >= ?', since],
    ['o.timestamp < ?', until],
  );
  return db
    .prepare(
      `SELECT s.session_id, s.project_id, o.timestamp, o.action, json_extract(o.detail, '$.text.text') AS text
       FROM sessions s JOIN observations o ON o.session_id = s.session_id AND o.source = s.source
       ${whereClause(given)} ORDER BY o.timestamp DESC, o.row DESC LIMIT ?`,
    )
    .all(...given.parameters, limit)
    .map((row) => ({
      id: String(row.session_id),
      text: String(row.text),
      by: String(row.action),
      at: Number(row.timestamp),
      projectId: row.project_id === null ? null : String(row.project_id),
    }));
}
