import { isStandIn, isTypeOrLabel, isWord, JUDGED, looksLikeCredential } from '../names/judge.ts';
import { isNameOfSecret, type NameKind } from '../names/name-kinds.ts';
import { BLANK, NEWLINE, QUOTE } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';
import { cellStart, countSigns, nextSign, PIPE, signBefore, signBehind } from './table-signs.ts';

const MOST_ROWS = 200;
const LONGEST_ROW = 1_000;
const SHORTEST = 6;
const SHORTEST_PASSWORD = 4;
/** More words than are a password. */
const SENTENCE = / \S+ \S+ /;
/** So few columns have a table. */
const MOST_COLUMNS = 40;

/** Only names, as in the header line of a table. Other characters mean code. */
const HEAD = /^[\w\p{L} ."'\\-]+(?:[|,;\t][\w\p{L} ."'\\-]*)+$|^\|/u;
/** Text before the headers on their line: `Done: | user | password |`. */
const INTRODUCTION = /^[^|,;\t]{1,80}: +/;
/** Headers next to a password that name its owner. */
const WHOSE =
  /(?:^|[^\p{L}])(?:user|login|account|e-?mail|mail|host|server|service|system|site|url|name|benutzer|konto|utilisateur|identifiant|compte|usu[aá]rio|cuenta|correo|conta|utente|gebruiker|логин|пользователь)/iu;
/** Columns whose names only suggest a secret, so that values are judged by their form. */
const TOLD_BY_LOOK = /(?:key|token|secret|hash|auth|credentials?)$/i;
/** Heads of columns of keys, without that word. */
const KEYS = /(?:api|access|secret|private|auth|account|signing|licen[cs]e) $/i;
/** After the header of a column of names: `| Secret | Value |`. */
const VALUES_BESIDE = /^[`* ]*\|[`* ]*values?[`* ]*(?:\||$)/i;
/** The line below the heads. */
const RULE = /^[-+|: =]{3,}$/;
const RULE_OF_ONE = /^ *\|[-: =]{3,}\|\s*$/;
const END_OF_STRING = /\\+"[\]},]/;
const CODE = /[(){}[\]<>]/;

/** A cell that is called by the name of a secret. */
interface Head {
  readonly kind: NameKind;
  readonly start: number;
  readonly end: number;
}

/** Values below a column that is called by the name of a secret: `| user | password |`, `user,password`. */
export class Tables {
  private readonly reader: Reader;
  private readonly found: Findings;
  /** Up to here the rows have been looked at. */
  private until = -1;
  /** Up to here is the line that was looked at for its first such name: each is looked at for one only. */
  private lineUntil = -1;
  /** The column has passwords, and another one says whose they are. */
  private isClear = false;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  /** For a secret's name in a cell, hides the next cell, or the column below it. */
  below(kind: NameKind, start: number, end: number): void {
    if (start < this.lineUntil) return;
    const cell = cellStart(this.reader, start);
    if (kind === 'key' && !KEYS.test(this.reader.slice(cell, start))) return;
    const sign = this.signAround(cell, end);
    if (sign === 0) return;
    this.lineUntil = this.lineOrStringEnd(end);
    // A string of JSON may end before the line does.
    const last = isBreak(this.reader, this.lineUntil) ? this.lineUntil : -1;
    const named = { kind: kind === 'key' || cell < start ? 'token' : kind, start: cell, end } as const;
    if (sign === PIPE && this.beside(named, last)) return;
    if (start >= this.until) this.column(named, sign, last);
  }

  /** Hides the cell after a name in Markdown: `| DB_PASSWORD | … |`. Returns true if it did. */
  private beside({ kind, start, end }: Head, last: number): boolean {
    const { reader } = this;
    const { sign, at } = signBehind(reader, end);
    if (sign !== PIPE || this.hasRuleBelow(last)) return false;
    const limit = this.rowEnd(end, last);
    const cell = nextSign(reader, PIPE, at + 1, limit);
    if (cell === null) return false;
    const isPair = nextSign(reader, PIPE, cell.end, limit) === null && this.isFirst(start);
    const [from, to] = trimmed(reader, at + 1, cell.at);
    const value = reader.slice(from, Math.min(to, from + JUDGED));
    if (CODE.test(value) || isStandIn(value) || isNameOfSecret(reader, from, to)) return false;
    const isAny = isPair && kind !== 'token' && !TOLD_BY_LOOK.test(reader.slice(start, end));
    if (!looksLikeCredential(value, SHORTEST) && !(isAny && isPassword(value, false) && !WHOSE.test(value)))
      return false;
    this.found.add(from, to, REDACTED);
    return true;
  }

  /** True for the first cell of a line. */
  private isFirst(start: number): boolean {
    const sign = signBefore(this.reader, start).at;
    const line = this.lineStart(sign);
    return line >= 0 && nextSign(this.reader, PIPE, line, sign) === null;
  }

  private hasRuleBelow(last: number, rule: RegExp = RULE): boolean {
    const row = last < 0 ? -1 : this.reader.newlineAt(last);
    return row >= 0 && rule.test(this.reader.slice(row, this.rowEnd(row, lineBreak(this.reader, row))));
  }

  /** Hides the cells below a column header. */
  private column({ kind, start, end }: Head, sign: number, last: number): void {
    const line = this.lineStart(start);
    this.until = line < 0 || last < 0 ? end + LONGEST_ROW : last;
    if (line < 0 || last < 0) return;
    const text = this.reader.slice(line, last).replaceAll(/\\+t/g, '\t');
    const head = text.replace(INTRODUCTION, '');
    const isOnly = sign === PIPE && this.hasRuleBelow(last, RULE_OF_ONE);
    if (!HEAD.test(head) || (!isOnly && namesIn(head) < 2)) return;
    const beside = sign === PIPE && VALUES_BESIDE.test(this.reader.slice(end, last)) ? 1 : 0;
    const column = countSigns(this.reader, sign, line, start) + beside;
    const columns = countSigns(this.reader, sign, line, last);
    if (columns > MOST_COLUMNS) return;
    this.isClear =
      kind !== 'token' && (isOnly || WHOSE.test(head)) && !TOLD_BY_LOOK.test(this.reader.slice(start, end));
    let row = this.reader.newlineAt(last);
    for (let count = 0; row >= 0 && count < MOST_ROWS; count += 1) {
      const next = this.row(row, sign, column, columns);
      if (next === null) break;
      row = next;
    }
    // The last row ends with its string; the following text may contain another table.
    if (row >= 0) this.until = row;
  }

  /** The separator on both sides of the name, or on one side at the end of its line; 0 if there is none. */
  private signAround(start: number, end: number): number {
    const { sign: before, at: left } = signBefore(this.reader, start);
    const { sign: after, at: right } = signBehind(this.reader, end);
    if (before !== 0 && (after === before || this.isRowEnd(right))) return before;
    const isFirst = left < 0 || this.isLineEnd(left);
    return isFirst && after !== 0 && after !== 124 ? after : 0;
  }

  private isRowEnd(at: number): boolean {
    return this.reader.newlineAt(at) >= 0 || at >= this.reader.length;
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

  /** Hides the cell of a row. Returns the next row, -1 after the last, null if it is not a row. */
  private row(from: number, sign: number, column: number, columns: number): number | null {
    const { reader } = this;
    const end = lineBreak(reader, from);
    const limit = this.rowEnd(from, end);
    this.until = limit;
    if (RULE.test(reader.slice(from, limit))) return end < 0 ? -1 : reader.newlineAt(end);
    if (countSigns(reader, sign, from, limit) !== columns) return null;
    let at = from;
    for (let passed = 0; passed < column; passed += 1) {
      const next = nextSign(reader, sign, at, limit);
      if (next === null) return null;
      at = next.end;
    }
    this.hide(sign, at, nextSign(reader, sign, at, limit)?.at ?? limit);
    return end < 0 || limit < end ? -1 : reader.newlineAt(end);
  }

  /** In one go: a list of short strings would be read to the end of its line for each of them. */
  private lineOrStringEnd(from: number): number {
    const { reader } = this;
    const most = Math.min(reader.length, from + LONGEST_ROW);
    let at = from;
    while (at < most && !isBreak(reader, at) && !this.isStringEnd(at)) at++;
    reader.steps += at - from + 1;
    return at;
  }

  /** The end of the row, or of the string that it stands in. */
  private rowEnd(from: number, last: number): number {
    const most = last < 0 ? Math.min(this.reader.length, from + LONGEST_ROW) : last;
    let limit = from;
    while (limit < most && !this.isStringEnd(limit)) limit++;
    this.reader.steps += limit - from;
    return limit;
  }

  private hide(sign: number, from: number, to: number): void {
    const { reader } = this;
    const [start, end] = trimmed(reader, from, to);
    const value = reader.slice(start, Math.min(end, start + JUDGED));
    if (CODE.test(value) || isStandIn(value)) return;
    // In a table for people, several words are a description.
    const mayHaveBlanks = sign !== PIPE || (start > from && (reader.bits(start - 1) & QUOTE) !== 0);
    if (looksLikeCredential(value, SHORTEST) || (this.isClear && isPassword(value, mayHaveBlanks)))
      this.found.add(start, end, REDACTED);
  }
}

/** A cell without the blanks, quotes and stars around it. */
function trimmed(reader: Reader, from: number, to: number): readonly [start: number, end: number] {
  let start = from;
  let end = to;
  while (start < end && isAround(reader, start)) start++;
  // In JSON inside JSON, the text after the last row.
  const outside = END_OF_STRING.exec(reader.slice(start, end));
  if (outside !== null) end = start + outside.index;
  while (end > start && isAround(reader, end - 1)) end--;
  return [start, end];
}

/** Any word in a password column, except descriptions and names of variables that hold it. */
function isPassword(value: string, mayHaveBlanks: boolean): boolean {
  if (value.length < SHORTEST_PASSWORD || isWord(value) || isTypeOrLabel(value)) return false;
  return (
    (mayHaveBlanks ? !SENTENCE.test(value) : !value.includes(' ')) &&
    /[\p{L}\d]/u.test(value) &&
    !/^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(value)
  );
}

/** How many columns have a name: a list with a comma behind each word has one. */
const namesIn = (head: string) => head.split(/[|,;\t]/).filter((name) => /[\p{L}\d]/u.test(name)).length;

/** The line break within a row, also where it is written as an escape; else -1. */
const isBreak = (reader: Reader, at: number) =>
  (reader.bits(at) & NEWLINE) !== 0 || (reader.codes[at] === 92 && reader.newlineAt(at) >= 0);

function lineBreak(reader: Reader, from: number): number {
  const limit = Math.min(reader.length, from + LONGEST_ROW);
  let at = from;
  while (at < limit && !isBreak(reader, at)) at += 1;
  reader.steps += at - from + 1;
  return at < limit ? at : -1;
}

const isAround = (reader: Reader, at: number) =>
  (reader.bits(at) & (BLANK | QUOTE)) !== 0 || reader.code(at) === 92 || reader.code(at) === 42;
