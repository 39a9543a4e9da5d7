import { isStandIn, isWord, JUDGED, looksLikeCredential } from '../names/judge.ts';
import { kindOfName, type NameKind } from '../names/name-kinds.ts';
import { BACKSLASH, SPACE, WORD } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';

const OPEN = 40;
const CLOSE = 41;
const COMMA = 44;
const LONGEST_COLUMNS = 500;
/** All rows behind one `VALUES`. */
const LONGEST_ROWS = 20_000;
const MOST_COLUMNS = 40;
const SHORTEST = 4;
const SHORTEST_TOKEN = 8;

/** Values of columns that are called by the name of a secret: `INSERT INTO users (name, password) VALUES ('a', 'b')`. */
export class SqlInserts {
  private readonly reader: Reader;
  private readonly found: Findings;
  /** Up to here the rows have been read. */
  private until = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  /** For the word `VALUES` between these places. */
  values(start: number, end: number): void {
    if (start < this.until) return;
    // Without time to read the names, all values count as secrets.
    const columns = this.reader.mayJudge() ? this.columnsBefore(start) : null;
    if (columns?.every((kind) => kind === null) === true) return;
    let at = this.behindSpace(end);
    const limit = Math.min(this.reader.length, end + LONGEST_ROWS);
    while (at < limit && this.reader.code(at) === OPEN) {
      at = this.row(at + 1, limit, columns);
      const next = this.behindSpace(at);
      if (this.reader.code(next) !== COMMA) break;
      at = this.behindSpace(next + 1);
    }
    this.until = at;
  }

  /** What the column names in the brackets before this position say about their values. */
  private columnsBefore(from: number): readonly (NameKind | null)[] {
    const { reader } = this;
    let close = from - 1;
    while (this.isSpace(close)) close--;
    if (reader.code(close) !== CLOSE) return [];
    const open = reader.last(OPEN, Math.max(0, close - LONGEST_COLUMNS), close);
    const columns: (NameKind | null)[] = [];
    for (let at = open + 1; open >= 0 && at <= close && columns.length < MOST_COLUMNS; ) {
      const comma = reader.first(COMMA, at, close);
      const last = comma < 0 ? close : comma;
      columns.push(this.kindBetween(at, last));
      at = last + 1;
    }
    return columns;
  }

  /** Of a name that may stand in blanks and quotes. */
  private kindBetween(from: number, to: number): NameKind | null {
    const { reader } = this;
    let end = to;
    while (end > from && (reader.bits(end - 1) & WORD) === 0) end--;
    let start = end;
    while (start > from && (reader.bits(start - 1) & WORD) !== 0) start--;
    const kind = kindOfName(reader, start, end);
    return kind === 'secret' || kind === 'pwd' || kind === 'token' || kind === 'key' ? kind : null;
  }

  /** Hides the values of one row. Gives the place behind its bracket. */
  private row(from: number, limit: number, columns: readonly (NameKind | null)[] | null): number {
    const { reader } = this;
    let depth = 1;
    let column = 0;
    let at = from;
    while (at < limit && depth > 0) {
      const code = reader.code(at);
      const text = reader.openAt(at, false);
      if (text >= 0) {
        const last = reader.quotedEnd(text, reader.quote, reader.level);
        this.hide(text, last, columns === null ? 'secret' : (columns[column] ?? null));
        // Without an end it is not a row.
        at = Math.max(reader.quoteAt(last), last + 1);
        continue;
      }
      if (code === OPEN) depth += 1;
      else if (code === CLOSE) depth -= 1;
      else if (code === COMMA && depth === 1) column += 1;
      else if (reader.isJson && code === 34) break;
      at += 1;
    }
    reader.steps += at - from;
    return at;
  }

  private hide(from: number, to: number, kind: NameKind | null): void {
    if (kind === null || to - from < SHORTEST) return;
    const value = this.reader.slice(from, Math.min(to, from + JUDGED));
    if (isStandIn(value) || isWord(value)) return;
    const isClear = kind === 'secret' || kind === 'pwd';
    if (isClear || looksLikeCredential(value, SHORTEST_TOKEN)) this.found.add(from, to, REDACTED);
  }

  private isSpace(at: number): boolean {
    const { reader } = this;
    return (reader.bits(at) & SPACE) !== 0 || this.isEscapeEnd(at) || (reader.bits(at) & BACKSLASH) !== 0;
  }

  /** The letter of `\n`. */
  private isEscapeEnd(at: number): boolean {
    return this.reader.code(at) === 110 && this.reader.code(at - 1) === 92;
  }

  private behindSpace(from: number): number {
    let at = this.reader.skipBlank(from);
    for (let line = this.reader.newlineAt(at); line >= 0; line = this.reader.newlineAt(at))
      at = this.reader.skipBlank(line);
    return at;
  }
}
