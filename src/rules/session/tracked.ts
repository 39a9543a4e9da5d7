import type { Before, Origin } from '../../shell/analysis.ts';

/** What was looked up of what a session has left, each with its answer as a text. */
export type Queries = ReadonlyMap<string, string>;

/** What a session has left, which notes what is looked up in it. */
export interface TrackedBefore extends Before {
  readonly queries: Queries;
  /** Whether the queries of another one have the same answers here, so that its conclusions are still right. */
  hasSameAnswers(queries: Queries): boolean;
}

/** @param version another one whenever the session has left something else */
export function trackQueries(before: Before, version: string, real: (path: string) => string): TrackedBefore {
  const queries = new Map<string, string>();
  queries.set(ANY_LINKS, String(before.hasLinks));
  const noted = <T>(question: string, answer: T, text: string): T => {
    queries.set(question, text);
    return answer;
  };
  const notedOrigins = <T extends readonly Origin[] | undefined>(question: string, origins: T): T =>
    noted(question, origins, textOf(origins));
  return {
    hasLinks: before.hasLinks,
    originsOf: (path) => notedOrigins(ORIGINS + path, before.originsOf(path)),
    sourcesOf: (path) => notedOrigins(SOURCES + path, before.sourcesOf(path)),
    linkAt: (path) => {
      const link = before.linkAt(path);
      return noted(LINK + path, link, link ?? '');
    },
    isAbsent: (path) => {
      const isAbsent = before.isAbsent(path);
      return noted(ABSENT + path, isAbsent, String(isAbsent));
    },
    textOf: (path) => noted(TEXT + path, before.textOf(path), real(path)),
    paths: () => noted(ALL, before.paths(), version),
    queries,
    hasSameAnswers(others) {
      for (const [question, answer] of others)
        if (answerTo(question, before, version, real) !== answer) return false;
      return true;
    },
  };
}

const ORIGINS = 'o';
const SOURCES = 's';
const LINK = '>';
const ABSENT = 'a';
const TEXT = 't';
const ALL = '*';
const ANY_LINKS = '?';

/** The first letter of a question says which. What is in a file is told by the time of the real one. */
function answerTo(question: string, before: Before, version: string, real: (path: string) => string): string {
  const path = question.slice(1);
  switch (question[0]) {
    case ORIGINS:
      return textOf(before.originsOf(path));
    case SOURCES:
      return textOf(before.sourcesOf(path));
    case LINK:
      return before.linkAt(path) ?? '';
    case ABSENT:
      return String(before.isAbsent(path));
    case TEXT:
      return real(path);
    case ANY_LINKS:
      return String(before.hasLinks);
    default:
      return version;
  }
}

function textOf(origins: readonly Origin[] | undefined): string {
  if (origins === undefined) return '';
  return origins.length === 0 ? '[]' : JSON.stringify(origins);
}
