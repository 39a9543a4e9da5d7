import type { OptionSecret } from '../../knowledge/secrets.ts';
import { SqlInserts } from '../formats/sql-insert.ts';
import { isStandIn } from '../names/judge.ts';
import { DELIMITER, QUOTE, SPACE } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';
import { Echoed } from './echoed.ts';
import { HereDocuments } from './here-document.ts';
import {
  knownWord,
  type Options,
  optionsOf,
  STDIN_OPTIONS,
  secretOfOption,
  type UsedOptions,
} from './programs.ts';
import { JUDGED, SecretWords, SHORTEST } from './secret-words.ts';
import { TypedSecrets } from './typed.ts';

const LONGEST_OPTION = 20;
const LONGEST_ENTRY = 300;

const PIPE = 124;
const LESS = 60;
const SEMICOLON = 59;
const BACKTICK = 96;

/** Relations between words of a command line: the program of an option, and what is piped into it. */
export class CommandLine {
  private readonly reader: Reader;
  private readonly found: Findings;
  private readonly echoed: Echoed;
  private readonly words: SecretWords;
  /** These are made for the few lines that have such a thing. */
  private foundTyped: TypedSecrets | null = null;
  private foundInserts: SqlInserts | null = null;
  private foundDocuments: HereDocuments | null = null;
  private options: Options | null = null;
  private readsStdin = false;
  /** The newest `machine` of a `.netrc`. */
  private machine = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
    this.echoed = new Echoed(reader, found);
    this.words = new SecretWords(reader, found);
  }

  private get typed(): TypedSecrets {
    this.foundTyped ??= new TypedSecrets(this.reader, this.found);
    return this.foundTyped;
  }

  private get inserts(): SqlInserts {
    this.foundInserts ??= new SqlInserts(this.reader, this.found);
    return this.foundInserts;
  }

  private get documents(): HereDocuments {
    this.foundDocuments ??= new HereDocuments(this.reader, this.found);
    return this.foundDocuments;
  }

  /** No options and no end of a command mean anything now. */
  get isIdle(): boolean {
    return this.options === null && !this.readsStdin && this.echoed.isNone;
  }

  /** An escaped line break is part of echoed text. */
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
    return this.reader.code(at + 2) === LESS ? this.words.hide(at + 3, 'word') : this.documents.hide(at + 2);
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
    if (word === 'echo' || word === 'printf') this.echoed.begin(start, this.words.behindOptions(end), end);
    else if (word === 'machine' || word === 'default') this.machine = end;
    else if (word === 'password' || word === 'account') return this.netrc(start, end);
    else if (word === 'by' || word === 'BY') return this.identifiedBy(start, end);
    else if (word === 'send') return this.typed.sent(start, end);
    else if (word === 'VALUES' || word === 'values') this.inserts.values(start, end);
    return end;
  }

  private begin(used: UsedOptions | null, end: number): number {
    if (used === null) return end;
    this.options = used.options;
    let behind = end;
    for (const { name, secret } of used.options)
      if (name === '') behind = Math.max(behind, this.hideBehind(secret, used, end));
    return behind;
  }

  /** Secrets in a command's words without an option. */
  private hideBehind(secret: OptionSecret, used: UsedOptions, end: number): number {
    switch (secret) {
      case 'last':
        return this.words.hideLast(end);
      case 'slash':
        return this.words.hide(this.words.behindOptions(end), 'slash');
      case 'slashed':
        return this.typed.slashed(end);
      case 'net':
        return this.typed.net(end);
      case 'entry':
        return this.words.entry(used.end, end);
      case 'settings':
        return this.words.settings(used.end, end);
      case 'first':
        return this.words.first(used.end, end);
      case 'stdin':
        this.takeEcho();
        return end;
      default:
        return end;
    }
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
      return this.words.hide(from + 3, 'attached');
    const short = secretOfOption(options, reader, from, from + 2);
    const isAttached = short === 'attached' || short === 'word' || short === 'pair';
    return isAttached ? this.words.hide(from + 2, short) : null;
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
    return secret === 'last' ? this.words.hideLast(end) : this.words.hide(end, secret);
  }

  /** Text echoed into a program that reads its secret from the input. */
  private takeEcho(): void {
    this.readsStdin = true;
    this.echoed.hide();
  }

  /** `machine host login user password secret`. */
  private netrc(start: number, end: number): number {
    if (this.machine < 0 || start - this.machine > LONGEST_ENTRY) return end;
    if (!this.reader.slice(this.machine, start).includes('login ')) return end;
    return this.words.hide(end, 'word');
  }

  /** `IDENTIFIED BY 'secret'`. */
  private identifiedBy(start: number, end: number): number {
    const before = this.reader.slice(Math.max(0, start - 11), start).toLowerCase();
    const at = this.reader.skipBlank(end);
    const quoted = this.reader.openAt(at, false) >= 0 && this.reader.quote !== BACKTICK;
    return quoted && before.endsWith('identified ') ? this.words.hide(end, 'word') : end;
  }
}
