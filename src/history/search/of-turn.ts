import type { Database } from '../../store/database/driver.ts';
import type { ObservationKind } from '../observations/observation.ts';
import {
  OBSERVATION_COLUMNS,
  type StoredObservation,
  toStoredObservation,
} from '../observations/stored-observation.ts';
import type { Matcher } from './score.ts';
import { SAID, type TurnDocument } from './turn-document.ts';

/** An observation, and the text by which it was found. */
interface Found {
  readonly found: StoredObservation;
  readonly text: string;
}

/** How much a hit counts by what it is: what people and models said tells more than what was listed. */
const WEIGHTS: Readonly<Record<string, number>> = {
  intent: 3,
  note: 3,
  error: 2.5,
  turn_end: 2,
  plan: 2,
  command: 1.5,
  permission: 1.5,
  file: 1.2,
  notification: 0.5,
  session: 0.5,
};
const MOST_READ = 400;
const MOST_WANTED = 30;

const LIST = `SELECT * FROM (SELECT row, kind, subject, body FROM observations
  WHERE session_id = ? AND source = ? AND prompt_number = ? AND kind = coalesce(?, kind)
  ORDER BY ${SAID} DESC, row LIMIT ${MOST_READ}) ORDER BY row`;
const READ = `SELECT ${OBSERVATION_COLUMNS} FROM observations o JOIN events e ON e.row = o.event_row WHERE o.row = ?`;

/** The observations of a turn that have the words, the best first; where none has, what the turn began with. */
export function observationsOf(
  db: Database,
  turn: TurnDocument,
  matcher: Matcher,
  kind: ObservationKind | undefined,
  isWanted: (found: StoredObservation) => boolean,
): readonly Found[] {
  const read = db.prepare(READ);
  const listed = db
    .prepare(LIST)
    .all(turn.sessionId, turn.source, turn.promptNumber, kind ?? null)
    .map((row) => {
      const text = textOf(turn, String(row.kind), [row.subject, row.body].filter(Boolean).join(' — '));
      return { row: Number(row.row), text, score: scoreOf(text, matcher) * (WEIGHTS[String(row.kind)] ?? 1) };
    });
  const best = listed.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.row - b.row);
  const chosen = best.length > 0 || kind !== undefined ? best.slice(0, MOST_WANTED) : listed.slice(0, 1);
  return chosen.flatMap(({ row, text }): Found[] => {
    const raw = read.get(row);
    const found = raw && toStoredObservation(raw);
    return found && isWanted(found) ? [{ found, text }] : [];
  });
}

/** An observation has the beginning of a prompt only. */
function textOf({ prompt, outcome }: TurnDocument, kind: string, own: string): string {
  if (kind === 'intent') return prompt || own;
  return kind === 'turn_end' ? outcome || own : own;
}

/** Each term once, as good as it is there. */
function scoreOf(text: string, matcher: Matcher): number {
  const best = new Map<number, number>();
  for (const { term, quality } of matcher(text).matches)
    best.set(term, Math.max(quality, best.get(term) ?? 0));
  return [...best.values()].reduce((sum, one) => sum + one, 0);
}
