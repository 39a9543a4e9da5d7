import { isStandIn, looksLikeCredential } from '../names/judge.ts';
import { NEWLINE, QUOTE } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';

const SHORTEST = 3;
const SHORTEST_ALONE = 6;
const LOOKED_BACK = 160;
const LONGEST_LINE = 400;

/** Secrets that stand in a place of a line, without an option that has dashes. */
export class TypedSecrets {
  private readonly reader: Reader;
  private readonly found: Findings;
  /** Up to here a line has been searched. */
  private until = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  /** `send "secret\r"` of a script that has waited for the question for it, for the place behind the word. */
  sent(start: number, end: number): number {
    const { reader } = this;
    const from = reader.skipBlank(end);
    const dashes = reader.startsWith('--', from) ? reader.skipBlank(from + 2) : from;
    const open = reader.openAt(dashes, false);
    if (open < 0) return end;
    const last = reader.quotedEnd(open, reader.quote, reader.level);
    const text = reader.slice(open, last);
    const key = ENTER.exec(text);
    if (key === null || (reader.mayJudge() && !this.wasAsked(start))) return end;
    return this.hide(open, open + key.index, end);
  }

  private wasAsked(start: number): boolean {
    return ASKED.test(this.reader.slice(Math.max(0, start - LOOKED_BACK), start));
  }

  /** `net use \\host\share secret`, `net user name secret /add`, for the place behind `net`. */
  net(end: number): number {
    const { reader } = this;
    const from = reader.skipBlank(end);
    if (!reader.startsWith('use', from)) return end;
    const line = this.near(from);
    const share = (reader.isJson ? ESCAPED_SHARE : SHARE).exec(line);
    if (share !== null) return this.hideWord(from + share[0].length, end);
    const user = USER.exec(line);
    if (user === null) return end;
    const { length } = user[0];
    const [word = ''] = /^\S*/.exec(line.slice(length)) ?? [];
    const isChange = line.startsWith(' /', length + word.length);
    return isChange || looksLikeCredential(word, SHORTEST_ALONE) ? this.hideWord(from + length, end) : end;
  }

  /** `/p:secret` on the line of a program whose options begin with a slash. */
  slashed(end: number): number {
    if (end < this.until) return end;
    const option = SLASHED.exec(this.near(end));
    // Another call of such a program, after the option or on the next line, has its own option.
    this.until = option === null ? this.lineEnd(end) : end + option[0].length;
    return option === null ? end : this.hideWord(this.until, end);
  }

  private lineEnd(from: number): number {
    return this.reader.until(from, NEWLINE, from + LONGEST_LINE);
  }

  /**
   * The following text, up to a limit. The patterns end with the line: a backslash and an `n` may be its end or part of
   * a path.
   */
  private near(from: number): string {
    return this.reader.slice(from, from + LONGEST_LINE);
  }

  private hideWord(from: number, otherwise: number): number {
    const { reader } = this;
    const open = reader.openAt(from, false);
    if (open >= 0) return this.hide(open, reader.quotedEnd(open, reader.quote, reader.level), otherwise);
    // `'/p:two words'`: the quote stands before the option.
    const before = reader.code(from - 4);
    const isQuoted = reader.startsWith('/p:', from - 3) && (reader.bits(from - 4) & QUOTE) !== 0;
    const near = Math.min(reader.length, from + LONGEST_LINE);
    const last = isQuoted ? reader.first(before, from, near) : -1;
    return this.hide(from, last >= 0 ? last : reader.bareEnd(from, near), otherwise);
  }

  private hide(from: number, to: number, otherwise: number): number {
    let last = to;
    // The backslashes before a quote are its own.
    while (last > from && this.reader.code(last - 1) === 92) last--;
    const value = this.reader.slice(from, last);
    if (value.length < SHORTEST || isStandIn(value)) return otherwise;
    return this.found.add(from, last, REDACTED);
  }
}

const ENTER = /\\+[rn]$/;
/** The question, and no other one behind it. */
const ASKED = /(?:ass(?:word|phrase|code|wort)|kennwort|\bPIN\b)(?:(?!(?:send|expect)\b)[\s\S]){0,60}$/i;
const SHARE = /^use +(?:[A-Za-z*]:? +)?["']?\\\\[\w.$-]+(?:\\[\w.$-]+)*["']? +(?!\/|\*)/;
/** In a string of JSON, where a single backslash begins an escape. */
const ESCAPED_SHARE =
  /^use +(?:[A-Za-z*]:? +)?(?:\\*["'])?\\{4,}[\w.$-]+(?:\\{2,}[\w.$-]+)*(?:\\*["'])? +(?!\/|\*)/;
const USER = /^user +(?!\/)[^\s"'|;&]+ +(?!\/|\*)/;
const SLASHED = /^(?:(?!\\+[nr])[^\n])*?[\s"']\/p:/;
