import type { Database } from '../../store/database/driver.ts';
import { conditions, whereClause } from '../../store/read/conditions.ts';
import {
  firstRowSince,
  OBSERVATION_COLUMNS,
  type StoredObservation,
  toStoredObservation,
} from '../observations/stored-observation.ts';
import { exactly } from './candidates.ts';
import type { Term } from './query.ts';
import type { SearchQuery } from './search.ts';

/** Observations that have all terms, the newest first. */
export function findObservations(
  db: Database,
  terms: readonly Term[],
  query: Pick<SearchQuery, 'source' | 'session' | 'project' | 'kind' | 'since' | 'until'>,
  most: number,
): readonly StoredObservation[] {
  const given = conditions(
    ['t.observation_text MATCH ?', matchOf(terms, query)],
    ['o.session_id = ?', query.session],
    ['s.project_id = ?', query.project],
    ['t.rowid >= ?', query.since === undefined ? undefined : firstRowSince(db, query.since)],
    ['o.timestamp >= ?', query.since],
    ['o.timestamp < ?', query.until],
  );
  return db
    .prepare(
      `SELECT ${OBSERVATION_COLUMNS} FROM observation_text t JOIN observations o ON o.row = t.rowid
       JOIN events e ON e.row = o.event_row ${query.project === undefined ? '' : SESSIONS}
       ${whereClause(given)} ORDER BY t.rowid DESC LIMIT ?`,
    )
    .all(...given.parameters, most)
    .map(toStoredObservation);
}

const SESSIONS = 'JOIN sessions s ON s.source = o.source AND s.session_id = o.session_id';

/** The words in what was said, and what it is in words that no text has. */
function matchOf(terms: readonly Term[], { source, kind }: Pick<SearchQuery, 'source' | 'kind'>): string {
  const tags = [
    ...(source === undefined ? [] : [`tags : "agent${source.replaceAll('"', '""')}"`]),
    ...(kind === undefined ? [] : [`tags : "kind${kind}"`]),
  ];
  return [`({subject body} : (${terms.map(exactly).join(' AND ')}))`, ...tags].join(' AND ');
}
