import * as v from 'valibot';
import type { Database } from '../../store/database/driver.ts';
import { conditions } from '../../store/read/conditions.ts';
import type { Term } from './query.ts';

/** Which turns are meant. */
export interface TurnFilter {
  readonly source?: string;
  readonly session?: string;
  readonly project?: string;
  readonly since?: number;
  readonly until?: number;
}

/** Turns that are worth reading. */
interface Candidates {
  /** Rows of turns, the most promising first. */
  readonly rows: readonly number[];
  /** How much each term tells, by how seldom it is. */
  readonly worth: readonly number[];
}

/*
 * What is read of each list, the newest first: a search takes no longer in a large history. Beyond that a word is so
 * common that it tells little, and the rarer words of the search find what is older.
 */
const MOST_OF_TERM = 1_000;
const MOST_OF_OTHERS = 400;
const MOST_OF_ALL = 150;
const OTHERS = 0.4;

/** Turns that have the terms: all of them, some of them, or words for them. */
export function findCandidates(
  db: Database,
  terms: readonly Term[],
  filter: TurnFilter,
  most: number,
): Candidates {
  const list = reader(db, filter);
  const turns = Number(db.prepare('SELECT count(*) AS turns FROM turns').get()?.turns ?? 0);
  const last = Number(db.prepare('SELECT max(row) AS last FROM turns').get()?.last ?? 0);
  const required = terms.filter(({ isQuoted }) => isQuoted).map(exactly);
  const within = (match: string) => [...required, `(${match})`].join(' AND ');
  const scores = new Map<number, number>();
  const add = (rows: readonly number[], score: number) => {
    for (const row of rows) scores.set(row, (scores.get(row) ?? 0) + score);
  };
  const worth = terms.map((term) => {
    const exact = list(within(exactly(term)), MOST_OF_TERM);
    const loose = looselyOf(term);
    const others = loose === null ? [] : list(within(loose), MOST_OF_OTHERS);
    const share = shareOf(
      exact.length > 0 ? exact : others,
      exact.length > 0 ? MOST_OF_TERM : MOST_OF_OTHERS,
    );
    const idf = term.weight * inverse(turns, share(last));
    add(exact, idf);
    add(others, idf * OTHERS);
    return idf;
  });
  const all = worth.reduce((sum, one) => sum + one, 0);
  if (terms.length > 1) add(list(terms.map(exactly).join(' AND '), MOST_OF_ALL), all);
  const rows = [...scores].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([row]) => row);
  return { rows: rows.slice(0, most), worth };
}

/** How many turns have what the list has, which may have been cut: about as many before as in it. */
function shareOf(rows: readonly number[], most: number): (newest: number) => number {
  const oldest = rows.at(-1);
  if (rows.length < most || oldest === undefined) return () => rows.length;
  return (newest) => Math.max(rows.length, (rows.length * newest) / Math.max(1, newest - oldest + 1));
}

/** How much a word tells that so many of the turns have. */
function inverse(turns: number, having: number): number {
  return Math.log(1 + (turns - Math.min(having, turns) + 0.5) / (having + 0.5));
}

type ReadRows = (match: string, most: number) => readonly number[];

function reader(db: Database, filter: TurnFilter): ReadRows {
  const { terms, parameters } = conditions(
    ['u.source = ?', filter.source],
    ['u.session_id = ?', filter.session],
    ['u.project_id = ?', filter.project],
    ['u.last_at >= ?', filter.since],
    ['u.first_at < ?', filter.until],
  );
  const joined = terms.length === 0 ? '' : 'JOIN turns u ON u.row = t.rowid';
  const where = ['t.turn_text MATCH ?', ...terms].join(' AND ');
  // As one value: to hand over a thousand rows takes longer than to find them.
  const select = db.prepare(
    `SELECT json_group_array(row) AS rows FROM
       (SELECT t.rowid AS row FROM turn_text t ${joined} WHERE ${where} ORDER BY t.rowid DESC LIMIT ?)`,
  );
  return (match, most) =>
    v.parse(numbers, JSON.parse(String(select.get(match, ...parameters, most)?.rows ?? '[]')));
}

const numbers = v.array(v.number());

/** In the index's own language; every word is quoted, so that none is taken for an operator. */
export function exactly({ words, isBeginning }: Pick<Term, 'words' | 'isBeginning'>): string {
  return `${quoted(words.join(' '))}${isBeginning ? ' *' : ''}`;
}

/** Null where there is no other way to say it. */
function looselyOf({ others, beginning }: Term): string | null {
  const ways = others.map(({ words }) => quoted(words.join(' ')));
  if (beginning !== null) ways.push(`${quoted(beginning)} *`);
  return ways.length === 0 ? null : ways.join(' OR ');
}

function quoted(words: string): string {
  return `"${words.replaceAll('"', '""')}"`;
}
