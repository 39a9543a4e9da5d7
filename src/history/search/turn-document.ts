import * as v from 'valibot';
import { beginningOf, oneLine } from '../../model/text.ts';
import type { Database, Row } from '../../store/database/driver.ts';
import { partsOfNames } from './words.ts';

/** A turn of a session. */
export interface TurnKey {
  readonly source: string;
  readonly sessionId: string;
  readonly promptNumber: number;
}

/** The parts of a turn that are searched, the most telling first. */
export const FIELDS = ['prompt', 'outcome', 'files', 'commands', 'talk', 'parts'] as const;
export type Field = (typeof FIELDS)[number];

/** What one turn is found by. */
export interface TurnDocument extends TurnKey, Readonly<Record<Field, string>> {
  readonly projectId: string | null;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Of its first observation. */
  readonly row: number;
}

/** How long each part may get: a turn of a thousand calls is found by the first of its words. */
const MOST: Readonly<Record<Field, number>> = {
  prompt: 4_000,
  outcome: 4_000,
  files: 4_000,
  commands: 6_000,
  talk: 10_000,
  parts: 3_000,
};
const MOST_OBSERVATIONS = 1_000;
/** Of one observation; the rest is said again elsewhere or is what a program printed. */
const MOST_OF_ONE = 600;

/** What a turn is told by, read however long the turn is: its outcome comes last. */
export const SAID = "kind IN ('intent', 'note', 'turn_end')";

const SELECT = `
  SELECT o.kind, o.action, o.subject, o.body, o.row, e.timestamp, e.project_id,
    CASE o.kind WHEN 'intent' THEN substr(json_extract(e.event, '$.prompt'), 1, ${MOST.prompt})
      WHEN 'note' THEN json_extract(o.detail, '$.text.text')
      WHEN 'turn_end' THEN json_extract(o.detail, '$.message.text')
      WHEN 'file' THEN substr(json_extract(o.detail, '$.after.text'), 1, ${MOST_OF_ONE}) END AS whole
  FROM observations o JOIN events e ON e.row = o.event_row
  WHERE o.row IN (SELECT row FROM observations
    WHERE session_id = ? AND source = ? AND prompt_number = ? ORDER BY ${SAID} DESC, row LIMIT ${MOST_OBSERVATIONS})
  ORDER BY o.row`;

const columns = v.object({
  kind: v.string(),
  action: v.string(),
  subject: v.string(),
  body: v.string(),
  row: v.number(),
  timestamp: v.number(),
  project_id: v.nullable(v.string()),
  whole: v.nullable(v.string()),
});
type Part = v.InferOutput<typeof columns>;

/** Null where nothing of the turn is left. */
export function readTurn(db: Database, { source, sessionId, promptNumber }: TurnKey): TurnDocument | null {
  const rows = db.prepare(SELECT).all(sessionId, source, promptNumber).map(toPart);
  const [first] = rows;
  if (first === undefined) return null;
  const texts = new Map<Field, Set<string>>();
  for (const row of rows) {
    for (const [field, text] of saidIn(row)) {
      if (text.trim() !== '') texts.set(field, (texts.get(field) ?? new Set()).add(text));
    }
  }
  const textOf = (field: Field) => beginningOf([...(texts.get(field) ?? [])].join('\n'), MOST[field]);
  const [prompt, outcome, files] = [textOf('prompt'), textOf('outcome'), textOf('files')];
  const [commands, talk] = [textOf('commands'), textOf('talk')];
  const parts = partsOfNames([prompt, outcome, files, commands, talk].join('\n')).join('\n');
  const times = rows.map(({ timestamp }) => timestamp);
  return {
    source,
    sessionId,
    promptNumber,
    projectId: rows.find(({ project_id }) => project_id !== null)?.project_id ?? null,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    row: first.row,
    ...{ prompt, outcome, files, commands, talk, parts: beginningOf(parts, MOST.parts) },
  };
}

function toPart(row: Row): Part {
  return v.parse(columns, row);
}

/** What an observation says, and in which part of the turn it counts. */
function saidIn({ kind, subject, body, whole }: Part): readonly (readonly [Field, string])[] {
  const said = oneLine(body, MOST_OF_ONE);
  switch (kind) {
    case 'intent':
    case 'note':
      return [['prompt', whole ?? subject]];
    case 'turn_end':
      return [['outcome', whole ?? body]];
    case 'file':
      return [
        ['files', [subject, body].filter(Boolean).join(' ')],
        ['talk', whole ?? ''],
      ];
    case 'command':
      return [
        ['commands', subject],
        ['talk', said],
      ];
    // The text of an earlier turn once more, and what every session has.
    case 'compaction':
    case 'session':
    case 'notification':
      return [];
    default:
      return [['talk', [oneLine(subject, MOST_OF_ONE), said].filter(Boolean).join(' ')]];
  }
}
