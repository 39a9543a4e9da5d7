import * as v from 'valibot';
import { OWN_SOURCE } from '../../model/people/access.ts';
import type { Database } from '../../store/database/driver.ts';
import { sessionState } from '../calls/session-state.ts';

/** A session that did some work, with what was asked first and said last. */
export interface RecentSession {
  readonly source: string;
  readonly sessionId: string;
  readonly lastAt: number;
  readonly prompt: string;
  /** The agent's last message; empty where there is none. */
  readonly outcome: string;
  /** It ended, or is lost, and its last turn has no answer. */
  readonly isOpen: boolean;
}

const MOST_SESSIONS = 60;
/** A session in which nothing was run or changed is worth telling only for what was said in it. */
const LEAST_SAID = 80;

const columns = v.object({
  source: v.string(),
  session_id: v.string(),
  last_at: v.number(),
  ended_at: v.nullable(v.number()),
  prompt: v.nullable(v.string()),
  outcome: v.nullable(v.string()),
  last_outcome: v.nullable(v.string()),
  did: v.number(),
});

const TURNS = 'FROM turns t WHERE t.session_id = s.session_id AND t.source = s.source';
const SELECT = `
  SELECT s.source, s.session_id, s.last_at, s.ended_at,
    (SELECT prompt ${TURNS} AND prompt <> '' AND prompt NOT LIKE '/%' ORDER BY prompt_number LIMIT 1) AS prompt,
    (SELECT outcome ${TURNS} AND outcome <> '' ORDER BY prompt_number DESC LIMIT 1) AS outcome,
    (SELECT outcome ${TURNS} AND prompt <> '' ORDER BY prompt_number DESC LIMIT 1) AS last_outcome,
    EXISTS (SELECT 1 ${TURNS} AND (files <> '' OR commands <> '')) AS did
  FROM sessions s WHERE s.project_id = ? AND s.session_id IS NOT ? AND s.source <> '${OWN_SOURCE}'
  ORDER BY s.last_at DESC, s.session_id LIMIT ${MOST_SESSIONS}`;

/** The newest first, without those in which nothing happened. */
export function recentSessions(
  db: Database,
  project: string,
  except: string | null,
  now: number,
): readonly RecentSession[] {
  return db
    .prepare(SELECT)
    .all(project, except)
    .map((raw) => v.parse(columns, raw))
    .filter(
      ({ prompt, did, outcome }) => prompt !== null && (did === 1 || (outcome ?? '').length >= LEAST_SAID),
    )
    .map((row) => ({
      source: row.source,
      sessionId: row.session_id,
      lastAt: row.last_at,
      prompt: row.prompt ?? '',
      outcome: row.outcome ?? '',
      isOpen:
        (row.last_outcome ?? '') === '' &&
        sessionState({ endedAt: row.ended_at, lastAt: row.last_at }, now) !== 'live',
    }));
}
