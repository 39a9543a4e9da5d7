import { behindEntryName } from '../formats/entries.ts';
import { SqlInserts } from '../formats/sql-insert.ts';
import { isStandIn } from '../names/judge.ts';
import { COMMAND_END, DELIMITER, QUOTE, SPACE } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';
import { Echoed } from './echoed.ts';
import { HereDocuments } from './here-document.ts';
import {
  knownWord,
  type OptionSecret,
  type Options,
  optionsOf,
  STDIN_OPTIONS,
  secretOfOption,
  type UsedOptions,
} from './programs.ts';
import { TypedSecrets } from './typed.ts';

const SHORTEST = 3;
const LONGEST_OPTION = 20;
const MOST_OPTIONS = 4;
const LONGEST_COMMAND = 120;
const LONGEST_WORD = 4_096;
const LONGEST_ENTRY = 300;
const JUDGED = 80;

const PIPE = 124;
const EQUALS = 61;
const LESS = 60;
const SEMICOLON = 59;
const COLON = 58;
const COMMA = 44;
const BACKTICK = 96;
const DASH = 45;
const SLASH = 47;
const AT = 64;

/** What the words of a command line say about each other: which program an option belongs to, what is piped into it. */
export class CommandLine {
  private readonly reader: Reader;
  private readonly found: Findings;
  private readonly echoed: Echoed;
  private readonly typed: TypedSecrets;
  private readonly inserts: SqlInserts;
  private readonly documents: HereDocuments;
  private options: Options | null = null;
  private readsStdin = false;
  /** Up to here it is known that no command ends. */
  private clearUntil = -1;
  /** The newest `machine` of a `.netrc`. */
  private machine = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
    this.echoed = new Echoed(reader, found);
    this.typed = new TypedSecrets(reader, found);
    this.inserts = new SqlInserts(reader, found);
    this.documents = new HereDocuments(reader, found);
  }

  /** No options and no end of a command mean anything now. */
  get isIdle(): boolean {
    return this.options === null && !this.readsStdin && this.echoed.isNone;
  }

  /** A line break that is written as an escape: in what is echoed, it is a part of that. */
  escapedEnd(at: number): void {
    if (!this.echoed.has(at)) this.end();
  }

  /** The line ends here. */
  end(): void {
    this.options = null;
    this.echoed.end();
    this.readsStdin = false;
  }

  /** A sign between words. Gives where to read on. */
  sign(at: number, code: number): number {
    if (code === PIPE) {
      this.echoed.pipe(at);
      this.options = null;
    } else if ((code === SEMICOLON && !this.echoed.goesOn(at)) || code === 38) this.end();
    else if (code === LESS && this.readsStdin && this.reader.code(at + 1) === LESS)
      return this.redirected(at);
    return at + 1;
  }

  /** `<<< secret`, `<<EOF`. */
  private redirected(at: number): number {
    return this.reader.code(at + 2) === LESS ? this.hideWord(at + 3, 'word') : this.documents.hide(at + 2);
  }

  /** A word with a blank behind it. Gives where to read on. */
  word(start: number, end: number): number {
    const known = knownWord(this.reader, start, end);
    if (known === null) return end;
    const isAlone = start === 0 || (this.reader.bits(start - 1) & (SPACE | QUOTE)) !== 0;
    const secret =
      this.options === null || !isAlone ? null : secretOfOption(this.options, this.reader, start, end);
    if (secret !== null) return this.hideOption(secret, end);
    if (known.usages !== null) return this.begin(optionsOf(known.usages, this.reader, end), end);
    const word = known.text;
    if (word === 'echo' || word === 'printf') this.echoed.begin(start, this.behindOptions(end), end);
    else if (word === 'machine' || word === 'default') this.machine = end;
    else if (word === 'password' || word === 'account') return this.netrc(start, end);
    else if (word === 'by' || word === 'BY') return this.identifiedBy(start, end);
    else if (word === 'send') return this.typed.sent(start, end);
    else if (word === 'VALUES' || word === 'values') this.inserts.values(start, end);
    return end;
  }

  private begin(used: UsedOptions | null, end: number): number {
    if (used === null) return end;
    const { options } = used;
    this.options = options;
    switch (secretOfOption(options, this.reader, end, end)) {
      case 'last':
        return this.hideLast(end);
      case 'slash':
        return this.hideWord(this.behindOptions(end), 'slash');
      case 'slashed':
        return this.typed.slashed(end);
      case 'net':
        return this.typed.net(end);
      case 'entry':
        return this.entry(used.end, end);
      case 'stdin':
        this.takeEcho();
        return end;
      default:
        return end;
    }
  }

  /** `name secret`, `name=secret`, behind what sets it. */
  private entry(from: number, otherwise: number): number {
    const name = behindEntryName(this.reader, this.behindGap(this.behindOptions(from)).at);
    if (name < 0) return otherwise;
    const behind = this.hideWord(name, 'word');
    return behind === name ? otherwise : behind;
  }

  /** Behind options without values: `sqlplus -s -L user/secret@place`. */
  private behindOptions(from: number): number {
    const { reader } = this;
    let end = from;
    for (let count = 0; count < MOST_OPTIONS; count += 1) {
      const at = reader.skipBlank(end);
      if (reader.code(at) !== DASH) break;
      end = reader.until(at, SPACE | QUOTE, Math.min(reader.length, at + LONGEST_OPTION));
    }
    return end;
  }

  /** An option, with or without its value. Null if it says nothing. */
  option(start: number, end: number, dashes: number): number | null {
    if (dashes === 0) return null;
    const { options, reader } = this;
    if (options === null && dashes === 1) return null;
    const from = start - dashes;
    if (dashes === 2 && this.readsSecret(from, end)) {
      this.takeEcho();
      return end;
    }
    if (options === null) return null;
    const last = Math.min(end, from + LONGEST_OPTION);
    const whole = secretOfOption(options, reader, from, last);
    if (whole === 'attached') return this.attachedQuoted(end);
    if (whole !== null) return this.hideOption(whole, end);
    if (dashes === 2 || last - from <= 2) return null;
    return this.attached(options, from, last);
  }

  /** `--password-stdin`. */
  private readsSecret(from: number, end: number): boolean {
    const last = Math.min(end, from + LONGEST_OPTION);
    return STDIN_OPTIONS.some((name) => name.length === last - from && this.reader.startsWith(name, from));
  }

  /** `-psecret`: the option is the first letters, the value the rest of the word. */
  private attached(options: Options, from: number, end: number): number | null {
    const { reader } = this;
    if (end - from > 3 && secretOfOption(options, reader, from, from + 3) === 'attached')
      return this.hideWord(from + 3, 'attached');
    const short = secretOfOption(options, reader, from, from + 2);
    const isAttached = short === 'attached' || short === 'word' || short === 'pair';
    return isAttached ? this.hideWord(from + 2, short) : null;
  }

  /** `-p'secret'`; behind a quote that ends a command there is nothing of it. */
  private attachedQuoted(end: number): number | null {
    const { reader } = this;
    const start = reader.openAt(end, false);
    if (start < 0 || (reader.bits(start) & (SPACE | QUOTE | DELIMITER)) !== 0) return null;
    const last = reader.quotedEnd(start, reader.quote, reader.level);
    const isNone = last - start < SHORTEST || isStandIn(reader.slice(start, Math.min(last, start + JUDGED)));
    return isNone ? null : this.found.add(start, last, REDACTED);
  }

  private hideOption(secret: OptionSecret, end: number): number {
    if (secret === 'stdin') {
      this.takeEcho();
      return end;
    }
    return secret === 'last' ? this.hideLast(end) : this.hideWord(end, secret);
  }

  /** Takes out the word behind an option, or of it what is secret. */
  private hideWord(behind: number, secret: OptionSecret): number {
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

  private hideLast(from: number): number {
    const { reader } = this;
    // Each option of a long line would otherwise read the line anew.
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

  /** What was echoed into a program that reads its secret from there. */
  private takeEcho(): void {
    this.readsStdin = true;
    this.echoed.hide();
  }

  /** `machine host login user password secret`. */
  private netrc(start: number, end: number): number {
    if (this.machine < 0 || start - this.machine > LONGEST_ENTRY) return end;
    if (!this.reader.slice(this.machine, start).includes('login ')) return end;
    return this.hideWord(end, 'word');
  }

  /** `IDENTIFIED BY 'secret'`. */
  private identifiedBy(start: number, end: number): number {
    const before = this.reader.slice(Math.max(0, start - 11), start).toLowerCase();
    const at = this.reader.skipBlank(end);
    const quoted = this.reader.openAt(at, false) >= 0 && this.reader.quote !== BACKTICK;
    return quoted && before.endsWith('identified ') ? this.hideWord(end, 'word') : end;
  }
}

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
