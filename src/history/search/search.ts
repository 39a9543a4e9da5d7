import type { Database } from '../../store/database/driver.ts';
import type { ObservationKind } from '../observations/observation.ts';
import type { StoredObservation } from '../observations/stored-observation.ts';
import { fileFilter } from './file-filter.ts';
import { findObservations } from './observations.ts';
import { observationsOf } from './of-turn.ts';
import { termsOf } from './query.ts';
import { type RankedTurn, rankTurns, type Why } from './rank.ts';
import { matcherOf } from './score.ts';
import { type Snippet, snippetOf } from './snippet.ts';

export interface SearchQuery {
  readonly text: string;
  readonly source?: string;
  readonly session?: string;
  readonly project?: string;
  readonly kind?: ObservationKind;
  readonly since?: number;
  readonly until?: number;
  /** A pattern for paths: only sessions that touched such a file, or observations about one. */
  readonly file?: string;
  /** How many hits of one turn there may be, the best first; one without it. */
  readonly ofTurn?: number;
  readonly limit?: number;
}

/** A turn, as the observation in it that fits best. */
export interface SearchHit extends StoredObservation {
  readonly score: number;
  /** Pieces of the text around what was found; the found words are `marks`. */
  readonly snippet: Snippet;
  readonly why: Why;
  readonly turn: { readonly prompt: string; readonly outcome: string };
}

const HITS = 20;
/** A turn has several observations with the words. */
const HITS_OF_TURN = 5;

/**
 * The best first: turns that have the words, all of them or some, in any form, or words for them. Needs about as long in
 * a large store as in a small one.
 */
export function search(db: Database, query: SearchQuery, now: number): readonly SearchHit[] {
  const terms = termsOf(query.text);
  if (terms.length === 0) return [];
  const { ofTurn = 1, limit = HITS } = query;
  const matcher = matcherOf(terms);
  const inFile = query.file === undefined ? () => true : fileFilter(db, query.file);
  const isWanted = (found: StoredObservation) =>
    (query.kind === undefined || found.observation.kind === query.kind) &&
    (query.since === undefined || found.timestamp >= query.since) &&
    (query.until === undefined || found.timestamp < query.until) &&
    inFile(found);
  const ranked = rankTurns(db, terms, matcher, query, now);
  const hits: SearchHit[] = [];
  const shown: RankedTurn[] = [];
  for (const one of ranked) {
    if (hits.length >= limit) break;
    const { turn, score, why } = one;
    const { prompt, outcome } = turn;
    const inTurn = observationsOf(db, turn, matcher, query.kind, isWanted).slice(0, ofTurn);
    if (inTurn.length > 0) shown.push(one);
    for (const { found, text } of inTurn)
      hits.push({ ...found, score, why, snippet: snippetOf(text, matcher), turn: { prompt, outcome } });
  }
  // A turn may have the words elsewhere than in what is wanted of it.
  const isNarrowed = query.kind !== undefined || query.file !== undefined;
  if (hits.length < limit && (isNarrowed || !isAnswered(shown))) hits.push(...singleHits());
  return hits.slice(0, limit);

  /** What is in no turn yet, or beyond what of a long turn is kept there. */
  function singleHits(): readonly SearchHit[] {
    const had = new Map(hits.map((hit) => [turnKey(hit), ofTurn]));
    const isNew = (found: StoredObservation) => {
      const before = had.get(turnKey(found)) ?? 0;
      had.set(turnKey(found), before + 1);
      return before < ofTurn;
    };
    const single = findObservations(db, terms, query, limit * HITS_OF_TURN)
      .filter(isWanted)
      .filter(isNew);
    const why = { found: terms.map(({ said }) => said), similar: [], missing: [], in: [] };
    return single.map((found) => {
      const text = [found.subject, found.body].filter(Boolean).join(' — ');
      return {
        ...found,
        score: 0,
        why,
        snippet: snippetOf(text, matcher),
        turn: { prompt: '', outcome: '' },
      };
    });
  }
}

const turnKey = ({ source, sessionId, promptNumber }: StoredObservation): string =>
  `${source}/${sessionId}/${promptNumber}`;

/** Whether a turn has all that was asked for, so that single observations can add nothing better. */
function isAnswered(shown: readonly RankedTurn[]): boolean {
  return shown.some(({ why }) => why.missing.length + why.similar.length === 0);
}
