import { BLANK, NEWLINE, QUOTE } from './characters.ts';
import type { Findings } from './findings.ts';
import { isStandIn, JUDGED, looksLikeCredential } from './judge.ts';
import { REDACTED } from './named.ts';
import type { Reader } from './reader.ts';

/** What stands between the columns of a table: `|`, `,`, `;` and tabs. */
const isColumnSign = (code: number) => code === 124 || code === 44 || code === 59 || code === 9;
const MOST_ROWS = 200;
const LONGEST_ROW = 1_000;
const SHORTEST = 6;
/** So few columns have a table. */
const MOST_COLUMNS = 40;

/** Names and nothing else, as the first line of a table has them: what has other signs is code. */
const HEAD = /^[\w ."'\\-]+(?:[|,;\t][\w ."'\\-]*)+$|^\|/;
const CODE = /[(){}[\]<>]/;

/** Values below a column that is called by the name of a secret: `| user | password |`, `user,password`. */
export class Tables {
  private readonly reader: Reader;
  private readonly found: Findings;
  /** Up to here the rows have been looked at. */
  private until = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  /** For a name of a secret: if it is the head of a column, hides what stands below it. */
  below(start: number, end: number): void {
    if (start < this.until) return;
    const sign = this.signAround(start, end);
    if (sign === 0) return;
    const line = this.lineStart(start);
    const last = line < 0 ? -1 : lineBreak(this.reader, end);
    // Each line is looked at for its first such name only.
    this.until = last < 0 ? end + LONGEST_ROW : last;
    if (last < 0 || !HEAD.test(this.reader.slice(line, last))) return;
    const column = this.count(sign, line, start);
    const columns = this.count(sign, line, last);
    if (columns > MOST_COLUMNS) return;
    let row = this.reader.newlineAt(last);
    for (let count = 0; row >= 0 && count < MOST_ROWS; count += 1) {
      const next = this.row(row, sign, column, columns);
      if (next === null) break;
      row = next;
    }
    this.until = row < 0 ? this.reader.length : row;
  }

  /** The sign that the name stands between, or beside at the end of its line; 0 if there is none. */
  private signAround(start: number, end: number): number {
    const { reader } = this;
    let left = start - 1;
    while ((reader.bits(left) & (BLANK | QUOTE)) !== 0 && reader.code(left) !== 9) left--;
    const right = reader.run(end, BLANK | QUOTE, Math.min(reader.length, end + LONGEST_ROW));
    const before = isColumnSign(reader.code(left)) ? reader.code(left) : 0;
    const after = isColumnSign(reader.code(right)) ? reader.code(right) : 0;
    if (before !== 0 && (after === before || this.reader.newlineAt(right) >= 0)) return before;
    const isFirst = left < 0 || this.isLineEnd(left);
    return isFirst && after !== 0 && after !== 124 ? after : 0;
  }

  private isLineEnd(at: number): boolean {
    const { reader } = this;
    return (
      reader.newlineAt(at) >= 0 ||
      (reader.code(at) === 110 && reader.code(at - 1) === 92) ||
      this.isStringEnd(at)
    );
  }

  /** A quote of the JSON's own. */
  private isStringEnd(at: number): boolean {
    const { reader } = this;
    return reader.isJson && reader.code(at) === 34 && reader.code(at - 1) !== 92;
  }

  private lineStart(from: number): number {
    let at = from;
    while (at > 0 && from - at < LONGEST_ROW && !this.isLineEnd(at - 1)) at--;
    this.reader.steps += from - at + 1;
    return from - at < LONGEST_ROW ? at : -1;
  }

  private count(sign: number, from: number, to: number): number {
    let count = 0;
    for (let at = from; at < to; at++) if (this.reader.codes[at] === sign) count += 1;
    this.reader.steps += to - from;
    return count;
  }

  /** Hides the cell of a row that begins here. Gives the next row, -1 behind the last, null for what is no row. */
  private row(from: number, sign: number, column: number, columns: number): number | null {
    const { reader } = this;
    const end = lineBreak(reader, from);
    const most = end < 0 ? Math.min(reader.length, from + LONGEST_ROW) : end;
    let limit = from;
    while (limit < most && !this.isStringEnd(limit)) limit++;
    reader.steps += limit - from;
    if (this.count(sign, from, limit) !== columns) return null;
    let at = from;
    for (let passed = 0; passed < column; passed += 1) {
      const next = reader.first(sign, at, limit);
      if (next < 0) return null;
      at = next + 1;
    }
    const close = reader.first(sign, at, limit);
    this.hide(at, close < 0 ? limit : close);
    return end < 0 || limit < most ? -1 : reader.newlineAt(end);
  }

  private hide(from: number, to: number): void {
    const { reader } = this;
    let start = from;
    let end = to;
    while (start < end && isAround(reader, start)) start++;
    while (end > start && isAround(reader, end - 1)) end--;
    const value = reader.slice(start, Math.min(end, start + JUDGED));
    if (!CODE.test(value) && !isStandIn(value) && looksLikeCredential(value, SHORTEST))
      this.found.add(start, end, REDACTED);
  }
}

/** The line break within a row, also where it is written as an escape; else -1. */
function lineBreak(reader: Reader, from: number): number {
  const limit = Math.min(reader.length, from + LONGEST_ROW);
  let at = from;
  while (at < limit && (reader.bits(at) & NEWLINE) === 0) {
    if (reader.codes[at] === 92 && reader.newlineAt(at) >= 0) break;
    at += 1;
  }
  reader.steps += at - from + 1;
  return at < limit ? at : -1;
}

const isAround = (reader: Reader, at: number) =>
  (reader.bits(at) & (BLANK | QUOTE)) !== 0 || reader.code(at) === 92;
