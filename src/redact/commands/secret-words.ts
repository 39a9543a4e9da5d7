import type { OptionSecret } from '../../knowledge/secrets.ts';
import { behindEntryName } from '../formats/entries.ts';
import { isStandIn } from '../names/judge.ts';
import { COMMAND_END, QUOTE, SPACE } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';

export const SHORTEST = 3;
export const JUDGED = 80;
const LONGEST_OPTION = 20;
const MOST_OPTIONS = 4;
const MOST_SETTINGS = 8;
const LONGEST_COMMAND = 120;
const LONGEST_WORD = 4_096;

const EQUALS = 61;
const COLON = 58;
const COMMA = 44;
const DASH = 45;
const SLASH = 47;
const AT = 64;

interface NextWord {
  readonly at: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** Words of a command line that are secrets, or have one in them. Each gives where to read on. */
export class SecretWords {
  private readonly reader: Reader;
  private readonly found: Findings;
  /** Up to here it is known that no command ends. */
  private clearUntil = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  /** `name secret`, `name=secret`, after the command that sets it. */
  entry(from: number, otherwise: number): number {
    const name = behindEntryName(this.reader, this.behindGap(this.behindOptions(from)).at);
    if (name < 0) return otherwise;
    const behind = this.hide(name, 'word');
    return behind === name ? otherwise : behind;
  }

  /** `name secret`, `name=secret other=secret`. */
  settings(from: number, otherwise: number): number {
    let last = otherwise;
    let isNamed = false;
    let at = from;
    for (let count = 0; count < MOST_SETTINGS; count += 1) {
      const word = this.nextWord(this.behindOptions(at));
      const sign = this.reader.first(EQUALS, word.at, word.end);
      if (word.end === word.at || (sign < 0 && last > otherwise)) break;
      if (sign < 0 && isNamed) return Math.max(last, this.hide(at, 'word'));
      if (sign < 0) {
        isNamed = true;
        at = this.behindWord(word);
      } else {
        at = this.behindSetting(at, word, sign);
        last = at;
      }
    }
    return last;
  }

  /** Hides the value in `name='a secret'`, `'name=a secret'`. Gives where the word ends. */
  private behindSetting(behind: number, word: NextWord, sign: number): number {
    if (word.isQuoted) {
      this.hide(this.behindOptions(behind), 'setting');
      return this.behindWord(word);
    }
    this.hide(sign, 'word');
    const open = this.reader.openAt(sign + 1, false);
    if (open < 0) return word.end;
    const last = this.reader.quotedEnd(open, this.reader.quote, this.reader.level, JUDGED);
    return Math.max(last, this.reader.quoteAt(last));
  }

  /** Of a list the closing quote belongs to the gap; behind any other one stands the next word. */
  private behindWord({ end, isQuoted }: NextWord): number {
    const closing = isQuoted ? this.reader.quoteAt(end) : -1;
    return closing < 0 || this.reader.code(this.reader.skipBlank(closing)) === COMMA ? end : closing;
  }

  /** `login secret`. */
  first(from: number, otherwise: number): number {
    const behind = this.behindOptions(from);
    const { at, end } = this.nextWord(behind);
    if (OF_A_SENTENCE.test(this.reader.slice(at, Math.min(end, at + JUDGED)))) return otherwise;
    return Math.max(otherwise, this.hide(behind, 'word'));
  }

  /** Behind options without values: `sqlplus -s -L user/secret@place`. */
  behindOptions(from: number): number {
    const { reader } = this;
    let end = from;
    for (let count = 0; count < MOST_OPTIONS; count += 1) {
      const at = reader.skipBlank(end);
      if (reader.code(at) !== DASH) break;
      end = reader.until(at, SPACE | QUOTE, Math.min(reader.length, at + LONGEST_OPTION));
    }
    return end;
  }

  /** Hides the word after an option, or the secret part of it. */
  hide(behind: number, secret: OptionSecret): number {
    const { reader } = this;
    const { at, outer } = this.behindGap(behind);
    const quoted = reader.openAt(at, outer);
    // In a list of JSON only a string is a word.
    if (quoted < 0 && outer) return behind;
    const start = quoted >= 0 ? quoted : at;
    const { quote, level } = reader;
    const near = quoted >= 0 ? reader.quotedEnd(start, quote, level, JUDGED) : this.wordEnd(start, JUDGED);
    const from = secretStart(reader, start, near, secret);
    if (from < 0 || near - from < SHORTEST || isStandIn(reader.slice(from, near))) return behind;
    // `-p -h host`: the value is asked for. In `-p-secret` it is attached.
    if (quoted < 0 && start > behind && reader.code(start) === DASH) return behind;
    const place = secret === 'slash' ? reader.first(AT, from, near) : -1;
    if (place >= 0) return this.found.add(from, place, REDACTED);
    if (near - start < JUDGED) return this.found.add(from, near, REDACTED);
    const end =
      quoted >= 0 ? reader.quotedEnd(start, quote, level, LONGEST_WORD) : this.wordEnd(start, LONGEST_WORD);
    return this.found.add(from, end, REDACTED);
  }

  /** Between its quotes, where it has some. */
  private nextWord(behind: number): NextWord {
    const { reader } = this;
    const { at, outer } = this.behindGap(behind);
    const quoted = reader.openAt(at, outer);
    if (quoted < 0) return { at, end: this.wordEnd(at, JUDGED), isQuoted: false };
    const end = reader.quotedEnd(quoted, reader.quote, reader.level, JUDGED);
    return { at: quoted, end, isQuoted: true };
  }

  private wordEnd(start: number, most: number): number {
    return this.reader.bareEnd(start, Math.min(this.reader.length, start + most));
  }

  /** Between an option and its value: blanks, `=`, and in a list of words the quotes and the comma. */
  private behindGap(from: number): { readonly at: number; readonly outer: boolean } {
    const { reader } = this;
    const closing = reader.quoteAt(from);
    if (closing >= 0) {
      const outer = reader.isOuterQuote;
      const comma = reader.skipBlank(closing);
      if (reader.code(comma) === COMMA) return { at: this.behindLines(comma + 1), outer };
    }
    const isSign = reader.code(from) === EQUALS || reader.code(from) === COLON;
    return { at: isSign ? from + 1 : reader.skipBlank(from), outer: false };
  }

  private behindLines(from: number): number {
    let at = this.reader.skipBlank(from);
    for (let line = this.reader.newlineAt(at); line >= 0; line = this.reader.newlineAt(at))
      at = this.reader.skipBlank(line);
    return at;
  }

  /** The last word of the command. */
  hideLast(from: number): number {
    const { reader } = this;
    // Otherwise each option of a long line would read the line again.
    const unread = Math.max(from, this.clearUntil);
    let last = reader.until(unread, COMMAND_END, Math.min(reader.length, from + LONGEST_COMMAND));
    this.clearUntil = last;
    while (last > from && (reader.bits(last - 1) & SPACE) !== 0) last--;
    let start = last;
    while (start > from && (reader.bits(start - 1) & SPACE) === 0) start--;
    if (start === from || last - start < SHORTEST || isStandIn(reader.slice(start, last))) return from;
    this.found.add(start, last, REDACTED);
    return from;
  }
}

/** Words of a sentence: `vault login page` has no secret. */
const OF_A_SENTENCE = /^[A-Za-z]?[a-z]{0,15}[.,:;!?)]{0,2}$/;

/** Where in the word between these places the secret begins; -1 if it has none. */
function secretStart(reader: Reader, start: number, end: number, secret: OptionSecret): number {
  switch (secret) {
    case 'pair':
      for (let at = start; at < end; at++) if (isBetweenPair(reader.code(at))) return at + 1;
      return -1;
    case 'slash':
      return SLASHED.test(reader.slice(start, end)) ? reader.first(SLASH, start, end) + 1 : -1;
    case 'setting':
      return reader.first(EQUALS, start, end) + 1 || -1;
    case 'source':
      return reader.startsWith('pass:', start) && start + 5 <= end ? start + 5 : -1;
    default:
      return start;
  }
}

/** `user:secret`, `user%secret`, `user,secret`. */
const isBetweenPair = (code: number) => code === 58 || code === 37 || code === COMMA;
const SLASHED = /^[\w$#]+\/[^\s/@]{3,}(?:@|$)/;
