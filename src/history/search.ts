import { sessionKey } from '../model/events.ts';
import { oneLine } from '../model/text.ts';
import { expandBraces } from '../rules/match/braces.ts';
import { compileGlob } from '../rules/match/glob.ts';
import type { Database } from '../store/database/driver.ts';
import { conditions, whereClause } from '../store/read/conditions.ts';
import type { ObservationKind } from './observations/observation.ts';
import {
  firstRowSince,
  OBSERVATION_COLUMNS,
  type StoredObservation,
  toStoredObservation,
} from './observations/stored-observation.ts';

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
  readonly limit?: number;
}

export interface SearchHit extends StoredObservation {
  readonly score: number;
  /** Pieces of the text around what was found; the found words are `hits`. */
  readonly snippet: Snippet;
}

interface Snippet {
  readonly text: string;
  /** Where the words that were searched for begin and end in it. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** How much a hit counts by what it is: what people and models said tells more than what was listed. */
const WEIGHTS: Readonly<Partial<Record<ObservationKind, number>>> = {
  intent: 3,
  error: 2.5,
  turn_end: 2,
  plan: 2,
  command: 1.5,
  permission: 1.5,
  file: 1.2,
  notification: 0.5,
  session: 0.5,
};

// Scoring everything that has a common word would take as long as the store is large.
const CANDIDATES = 600;
const DAY_MS = 86_400_000;

/** The best first: by how much of the query is in it, by kind and by age. Needs no more time in a large store. */
export function search(db: Database, query: SearchQuery, now: number): readonly SearchHit[] {
  const terms = termsOf(query.text);
  const match = matchOf(terms, query);
  if (match === null) return [];
  const given = conditions(
    ['t.observation_text MATCH ?', match],
    ['o.session_id = ?', query.session],
    ['s.project_id = ?', query.project],
    ['t.rowid >= ?', query.since === undefined ? undefined : firstRowSince(db, query.since)],
    ['o.timestamp >= ?', query.since],
    ['o.timestamp < ?', query.until],
  );
  const rows = db
    .prepare(
      `SELECT ${OBSERVATION_COLUMNS} FROM observation_text t JOIN observations o ON o.row = t.rowid
       JOIN events e ON e.row = o.event_row ${query.project === undefined ? '' : SESSIONS}
       ${whereClause(given)} ORDER BY t.rowid DESC LIMIT ?`,
    )
    .all(...given.parameters, CANDIDATES);
  const inFile = query.file === undefined ? () => true : fileFilter(db, query.file);
  return rows
    .map(toStoredObservation)
    .filter(inFile)
    .map((found): SearchHit => {
      const snippet = snippetOf(found, terms);
      return { ...found, score: scoreOf(found, terms, now), snippet };
    })
    .sort((a, b) => b.score - a.score || b.row - a.row)
    .slice(0, query.limit ?? 20);
}

const SESSIONS = 'JOIN sessions s ON s.source = o.source AND s.session_id = o.session_id';

interface Term {
  readonly words: string;
  readonly prefix: boolean;
}

/** Words, "several words" in quotes, and beginnings of words*. */
export function termsOf(text: string): readonly Term[] {
  return [...text.matchAll(/"([^"]+)"|([^\s"]+)/g)]
    .map(([, quoted, word = '']) => ({
      words: quoted ?? word.replace(/\*+$/, ''),
      prefix: quoted === undefined && word.endsWith('*'),
    }))
    .filter(({ words }) => /[\p{L}\p{N}]/u.test(words));
}

/** The query in the index's own language; every word is quoted, so that none is taken for an operator. */
function matchOf(terms: readonly Term[], query: SearchQuery): string | null {
  if (terms.length === 0) return null;
  const said = terms.map(({ words, prefix }) => `${quoted(words)}${prefix ? ' *' : ''}`);
  const tags = [
    ...(query.source === undefined ? [] : [`tags : ${quoted(`agent${query.source}`)}`]),
    ...(query.kind === undefined ? [] : [`tags : ${quoted(`kind${query.kind}`)}`]),
  ];
  return [`({subject body} : (${said.join(' AND ')}))`, ...tags].join(' AND ');
}

function quoted(words: string): string {
  return `"${words.replaceAll('"', '""')}"`;
}

function scoreOf(found: StoredObservation, terms: readonly Term[], now: number): number {
  const subject = found.subject.toLowerCase();
  const body = found.body.toLowerCase();
  let hits = 0;
  for (const { words } of terms) {
    const word = words.toLowerCase();
    if (subject.includes(word)) hits += 2;
    else if (body.includes(word)) hits += 1;
    // Found by its stem only.
    else hits += 0.5;
  }
  const phrase =
    terms.length > 1 && subject.includes(terms.map(({ words }) => words.toLowerCase()).join(' ')) ? 1.5 : 1;
  const ageDays = Math.max(0, now - found.timestamp) / DAY_MS;
  return ((hits * phrase) / terms.length) * (WEIGHTS[found.observation.kind] ?? 1) * (1 / (1 + ageDays / 14));
}

const BEFORE = 60;
const SNIPPET = 200;

function snippetOf({ subject, body }: StoredObservation, terms: readonly Term[]): Snippet {
  const words = terms.map(({ words: said }) => stem(said.toLowerCase()));
  const text = oneLine([subject, body].filter(Boolean).join(' — '));
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = Math.max(0, first - BEFORE);
  const piece = text.slice(start, start + SNIPPET);
  const prefix = start > 0 ? '…' : '';
  const shown = `${prefix}${piece}${start + SNIPPET < text.length ? '…' : ''}`;
  const low = shown.toLowerCase();
  const marks: (readonly [number, number])[] = [];
  for (const word of new Set(words)) {
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length)) {
      marks.push([at, at + word.length]);
    }
  }
  return { text: shown, marks: disjoint(marks) };
}

/** Enough of a word to find its other forms by. */
function stem(word: string): string {
  return word.length > 5 ? word.replace(/(?:ing|ed|es|s)$/, '') : word;
}

function disjoint(marks: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  for (const mark of [...marks].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (mark[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(mark);
  }
  return kept;
}

/** Observations about such a file, and everything of turns that touched one. */
function fileFilter(db: Database, pattern: string): (found: StoredObservation) => boolean {
  const plain = pattern.replace(/^\.\//, '');
  const patterns = expandBraces(plain) ?? [plain];
  // `**` is also no folder: a path that is relative counts as well as one from the root.
  const tests = patterns.map((one) => compileGlob(one.startsWith('/') ? one : `**/${one}`));
  const isWanted = (path: string) => tests.some((matches) => matches(path));
  const filesOf = db.prepare(
    "SELECT DISTINCT subject FROM observations WHERE session_id = ? AND source = ? AND kind = 'file' AND +prompt_number = ?",
  );
  const known = new Map<string, boolean>();
  return (found) => {
    const { source, sessionId, promptNumber, observation, subject } = found;
    if (observation.kind === 'file') return isWanted(subject);
    const key = `${sessionKey(found)}\0${promptNumber}`;
    let touched = known.get(key);
    if (touched === undefined) {
      touched = filesOf.all(sessionId, source, promptNumber).some((row) => isWanted(String(row.subject)));
      known.set(key, touched);
    }
    return touched;
  };
}
