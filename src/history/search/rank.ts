import * as v from 'valibot';
import { OWN_SOURCE } from '../../model/people/access.ts';
import type { Database } from '../../store/database/driver.ts';
import { findCandidates, type TurnFilter } from './candidates.ts';
import type { Term } from './query.ts';
import { type Matcher, scoreTurn, type TurnScore } from './score.ts';
import type { Field, TurnDocument } from './turn-document.ts';

/** Why a turn was found. */
export interface Why {
  /** Words of the search that are in it. */
  readonly found: readonly string[];
  /** Words for which others of the same meaning are in it. */
  readonly similar: readonly string[];
  readonly missing: readonly string[];
  /** In which parts of the turn. */
  readonly in: readonly Field[];
}

export interface RankedTurn {
  readonly turn: TurnDocument;
  readonly score: number;
  readonly why: Why;
}

const CANDIDATES = 100;
/** How much it counts that the other turns of the session have the words. */
const SESSION = 0.4;
/** What has only some of the words counts less than its words alone would. */
const COVERAGE = 0.5;
/** Age decides between turns that fit about as well. */
const RECENT = 0.06;
const HALF_LIFE_MS = 14 * 86_400_000;
/** What was noted on purpose. Hookline has no other turns of its own. */
const NOTED = 1.5;
/** Hits this far behind the best one are left out. */
const LEAST = 0.12;

/** Turns by how well they fit, by the other turns of their session, and then by age. */
export function rankTurns(
  db: Database,
  terms: readonly Term[],
  matcher: Matcher,
  filter: TurnFilter,
  now: number,
): readonly RankedTurn[] {
  const { rows, worth } = findCandidates(db, terms, filter, CANDIDATES);
  const scored = readTurns(db, rows).map((turn) => ({ turn, found: scoreTurn(turn, matcher, worth) }));
  const sessions = sessionScores(scored);
  const all = worth.reduce((sum, one) => sum + one, 0);
  const ranked = scored
    .map(({ turn, found }): RankedTurn => {
      const had = worth.reduce((sum, one, at) => sum + one * (found.terms[at]?.quality ?? 0), 0);
      const coverage = 1 - COVERAGE + (COVERAGE * had) / (all || 1);
      const own = sumOf(found) * found.together * coverage;
      const whole = sessions.get(keyOf(turn)) ?? 0;
      const age = Math.max(0, now - turn.lastAt);
      const noted = turn.source === OWN_SOURCE ? NOTED : 1;
      const recent = 1 + RECENT * 2 ** (-age / HALF_LIFE_MS);
      return { turn, score: (own + SESSION * whole) * recent * noted, why: whyOf(terms, found) };
    })
    .filter(({ why }) => why.found.length + why.similar.length > 0)
    .sort((a, b) => b.score - a.score || b.turn.lastAt - a.turn.lastAt);
  const best = ranked[0]?.score ?? 0;
  return ranked.filter(({ score }) => score >= best * LEAST);
}

const sumOf = ({ terms }: TurnScore): number => terms.reduce((sum, { score }) => sum + score, 0);

const keyOf = ({ source, sessionId }: TurnDocument): string => `${source}/${sessionId}`;

/** What the turns of each session have together: each term by the turn that has most of it. */
function sessionScores(
  scored: readonly { readonly turn: TurnDocument; readonly found: TurnScore }[],
): ReadonlyMap<string, number> {
  const best = new Map<string, number[]>();
  for (const { turn, found } of scored) {
    const known = best.get(keyOf(turn));
    const scores = found.terms.map(({ score }, at) => Math.max(score, known?.[at] ?? 0));
    best.set(keyOf(turn), scores);
  }
  return new Map([...best].map(([key, scores]) => [key, scores.reduce((sum, one) => sum + one, 0)]));
}

function whyOf(terms: readonly Term[], { terms: scores }: TurnScore): Why {
  const named = (wanted: (quality: number) => boolean) =>
    terms.filter((_, at) => wanted(scores[at]?.quality ?? 0)).map(({ said }) => said);
  return {
    found: named((quality) => quality === 1),
    similar: named((quality) => quality > 0 && quality < 1),
    missing: named((quality) => quality === 0),
    in: [...new Set(scores.flatMap(({ fields }) => fields))],
  };
}

const columns = v.object({
  row: v.number(),
  source: v.string(),
  session_id: v.string(),
  prompt_number: v.number(),
  project_id: v.nullable(v.string()),
  first_at: v.number(),
  last_at: v.number(),
  prompt: v.string(),
  outcome: v.string(),
  files: v.string(),
  commands: v.string(),
  talk: v.string(),
  parts: v.string(),
});

function readTurns(db: Database, rows: readonly number[]): readonly TurnDocument[] {
  return db
    .prepare('SELECT * FROM turns WHERE row IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(rows))
    .map((raw) => {
      const { session_id, prompt_number, project_id, first_at, last_at, ...rest } = v.parse(columns, raw);
      return {
        ...{ sessionId: session_id, promptNumber: prompt_number, projectId: project_id },
        ...{ firstAt: first_at, lastAt: last_at },
        ...rest,
      };
    });
}
