import type { Before, Origin } from '../../shell/analysis.ts';

/** Lookups of a session's files, each with its result as text. */
export type Queries = ReadonlyMap<string, string>;

/** Files that were read, as stamps; null if uncertain. The results hold while the stamps do. */
export type Looked = ReadonlyMap<string, string | null>;

/** A session's files, recording every lookup. */
export class SessionBefore implements Before {
  readonly hasLinks: boolean;
  /** Changes whenever the session leaves something else. */
  readonly version: string;
  /** Made when something is looked up, and with that what is always a part of an answer. */
  private noted: Map<string, string> | null = null;
  private readonly left: Before & { readonly looked: Looked };
  private readonly real: (path: string) => string;

  constructor(left: Before & { readonly looked: Looked }, version: string, real: (path: string) => string) {
    this.hasLinks = left.hasLinks;
    this.version = version;
    this.left = left;
    this.real = real;
  }

  get looked(): Looked {
    return this.left.looked;
  }

  get queries(): Queries {
    return this.ownQueries();
  }

  originsOf(path: string): readonly Origin[] | undefined {
    const origins = this.left.originsOf(path);
    this.note(ORIGINS + path, textOf(origins));
    return origins;
  }

  sourcesOf(path: string): readonly Origin[] {
    const origins = this.left.sourcesOf(path);
    this.note(SOURCES + path, textOf(origins));
    return origins;
  }

  linkAt(path: string): string | undefined {
    const link = this.left.linkAt(path);
    this.note(LINK + path, link ?? '');
    return link;
  }

  isAbsent(path: string): boolean {
    const isAbsent = this.left.isAbsent(path);
    this.note(ABSENT + path, String(isAbsent));
    return isAbsent;
  }

  textOf(path: string): string | null {
    const text = this.left.textOf(path);
    this.note(TEXT + path, this.real(path));
    return text;
  }

  paths(): Iterable<string> {
    this.note(ALL, this.version);
    return this.left.paths();
  }

  /** True if another set of lookups has the same results here, so its conclusions still hold. */
  hasSameAnswers(others: Queries): boolean {
    for (const [question, answer] of others)
      if (answerTo(question, this.left, this.version, this.real) !== answer) return false;
    return true;
  }

  private note(question: string, answer: string): void {
    this.ownQueries().set(question, answer);
  }

  private ownQueries(): Map<string, string> {
    this.noted ??= new Map([[ANY_LINKS, String(this.hasLinks)]]);
    return this.noted;
  }
}

const ORIGINS = 'o';
const SOURCES = 's';
const LINK = '>';
const ABSENT = 'a';
const TEXT = 't';
const ALL = '*';
const ANY_LINKS = '?';

/** The first letter selects the kind of question. Content is identified by the stamp of the real file. */
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
