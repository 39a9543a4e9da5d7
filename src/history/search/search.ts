import type { Database } from '../../store/database/driver.ts';
import type { ObservationKind } from '../observations/observation.ts';
import type { StoredObservation } from '../observations/stored-observation.ts';
import { fileFilter } from './file-filter.ts';
import { findObservations } from './observations.ts';
import { observationsOf } from './of-turn.ts';
import { type Term, termsOf } from './query.ts';
import { type RankedTurn, rankTurns, type Why } from './rank.ts';
import { type Matcher, matcherOf } from './score.ts';
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
  const isWanted = filterOf(db, query);
  const hits: SearchHit[] = [];
  const shown: RankedTurn[] = [];
  for (const one of rankTurns(db, terms, matcher, query, now)) {
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
  if (hits.length < limit && (isNarrowed || !isAnswered(shown))) {
    const found = findObservations(db, terms, query, limit * HITS_OF_TURN).filter(isWanted);
    hits.push(...notYetFound(found, hits, ofTurn).map((one) => singleHit(one, terms, matcher)));
  }
  return hits.slice(0, limit);
}

function filterOf(db: Database, { kind, since, until, file }: SearchQuery) {
  const inFile = file === undefined ? () => true : fileFilter(db, file);
  return (found: StoredObservation): boolean =>
    (kind === undefined || found.observation.kind === kind) &&
    (since === undefined || found.timestamp >= since) &&
    (until === undefined || found.timestamp < until) &&
    inFile(found);
}

/** Those of turns that are not indexed yet, or beyond what the index keeps of a long turn. */
function notYetFound<T extends StoredObservation>(
  found: readonly T[],
  hits: readonly SearchHit[],
  ofTurn: number,
): readonly T[] {
  const had = new Map(hits.map((hit) => [turnKey(hit), ofTurn]));
  return found.filter((one) => {
    const before = had.get(turnKey(one)) ?? 0;
    had.set(turnKey(one), before + 1);
    return before < ofTurn;
  });
}

function singleHit(
  found: ReturnType<typeof findObservations>[number],
  terms: readonly Term[],
  matcher: Matcher,
): SearchHit {
  const text = [found.subject, found.body].filter(Boolean).join(' — ');
  return {
    ...found,
    score: 0,
    why: { found: terms.map(({ said }) => said), similar: [], missing: [], in: [] },
    snippet: snippetOf(text, matcher),
    turn: { prompt: '', outcome: '' },
  };
}

const turnKey = ({ source, sessionId, promptNumber }: StoredObservation): string =>
  `${source}/${sessionId}/${promptNumber}`;

/** Whether a turn has all that was asked for, so that single observations can add nothing better. */
function isAnswered(shown: readonly RankedTurn[]): boolean {
  return shown.some(({ why }) => why.missing.length + why.similar.length === 0);
}
