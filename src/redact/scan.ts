import { CommandLine } from './commands/command-line.ts';
import { hidePgpass, hideTcpPassword, isPort, portEnd } from './formats/password-lines.ts';
import { Tables } from './formats/tables.ts';
import { Urls } from './formats/urls.ts';
import { type Form, formEnd, formStart } from './forms/form.ts';
import { FormIndex } from './forms/form-index.ts';
import { hideJwt } from './forms/jwt.ts';
import { FORMS } from './forms/token-forms.ts';
import { FOREIGN_ENDS, foreignName } from './names/foreign.ts';
import { hideScheme } from './names/headers.ts';
import { kindOfName, type NameKind } from './names/name-kinds.ts';
import { hideMember, hideNamed } from './names/named.ts';
import { hasShortValue } from './names/value-place.ts';
import { BEGINNINGS, behindPlain, endOfFoundName, kindOfFoundName, MCP } from './plain.ts';
import { LETTERS } from './text/beginnings.ts';
import {
  AFTER_NAME,
  BACKSLASH,
  BLANK,
  CLASSES,
  HEX,
  JOINT,
  LOWER,
  NEWLINE,
  QUOTE,
  SPACE,
  WORD,
} from './text/characters.ts';
import { behindColour, isColourEscape } from './text/colours.ts';
import { Findings, REDACTED } from './text/findings.ts';
import type { Reader } from './text/reader.ts';
import { stretchEnd } from './text/stretch.ts';

const BACKSLASH_CODE = 92;
const INDEX = new FormIndex(FORMS);
/** What a look at one takes of the time there is. Lists of `key` and `value` are long, and quickly read. */
const WEIGHT_OF_KEY = 1;
const WEIGHT_OF_NAME = 4;
const WEIGHT_OF_OPTION = 5;

const COLON = 58;
const LONGEST_LABEL = 48;
const LONGEST_JOINED = 200;
const DASH = 45;
const ESCAPE = 27;
const SLASH = 47;
const OPEN = 40;
const PERCENT = 37;

/**
 * Secrets by their form and by their name in one pass from left to right. What is found is read to its end and
 * passed over; what turns out to be none has been looked at for a few characters only.
 */
export function findSecrets(reader: Reader): Findings {
  const found = new Findings();
  new Scanner(reader, found).run();
  return found;
}

class Scanner {
  private readonly reader: Reader;
  private readonly found: Findings;
  /** These are made where the text has such a thing: most texts are ids and names. */
  private foundUrls: Urls | null = null;
  private foundCommand: CommandLine | null = null;
  private foundTables: Tables | null = null;
  /** The name that is being read: words joined by `-` and `.`. */
  private nameStart = -1;
  private nameGoesOnAt = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  private get urls(): Urls {
    this.foundUrls ??= new Urls(this.reader, this.found);
    return this.foundUrls;
  }

  private get command(): CommandLine {
    this.foundCommand ??= new CommandLine(this.reader, this.found);
    return this.foundCommand;
  }

  private get tables(): Tables {
    this.foundTables ??= new Tables(this.reader, this.found);
    return this.foundTables;
  }

  private get isIdle(): boolean {
    return this.foundCommand?.isIdle ?? true;
  }

  run(): void {
    const { codes, length } = this.reader;
    let at = 0;
    while (at < length) {
      at = behindPlain(codes, at, length, this.isIdle);
      if (at >= length) break;
      const end = endOfFoundName();
      if (end >= 0) at = this.name(at, end, end < length ? (codes[end] ?? 0) : -1, kindOfFoundName());
      else at = this.lookOn(at);
    }
    this.reader.steps += 2 * length;
  }

  /** As far as one name goes. */
  private lookOn(from: number): number {
    const { codes, length } = this.reader;
    let at = from;
    let last = from;
    do {
      last = at;
      at = this.look(at, codes[at] ?? 0);
    } while (at > last && at < length && (at === this.nameGoesOnAt || at + 1 === this.nameGoesOnAt));
    // An option may give back the end of its word: what stands there is a name of its own.
    if (at <= last) this.nameGoesOnAt = -1;
    return at;
  }

  private look(at: number, code: number): number {
    return ((CLASSES[code] ?? 0) & WORD) !== 0 ? this.word(at, code) : this.sign(at, code);
  }

  private word(at: number, code: number): number {
    const { codes, length } = this.reader;
    const before = at > 0 ? (codes[at - 1] ?? 0) : 0;
    const start = before === BACKSLASH_CODE || before === PERCENT ? this.behindEscape(at, code) : at;
    let form = this.form(at);
    if (form < 0 && start !== at) form = this.form(start);
    if (form < 0 && this.reader.startsWith(MCP, start)) form = this.joined(start + MCP.length);
    if (form >= 0) return form;
    if (at !== this.nameGoesOnAt) this.nameStart = start;
    let end = start;
    while (end < length && ((CLASSES[codes[end] ?? 0] ?? 0) & WORD) !== 0) end++;
    const next = end < length ? (codes[end] ?? 0) : -1;
    const bits = next < 0 ? 0 : (CLASSES[next] ?? 0);
    if ((bits & JOINT) !== 0 && (this.reader.bits(end + 1) & WORD) !== 0) {
      this.nameGoesOnAt = end + 1;
      return end;
    }
    return this.name(this.nameStart, end, next, null);
  }

  /** In serialised text the letter of an escape sticks to the word behind it, and so do the digits of `%3D`. */
  private behindEscape(at: number, letter: number): number {
    const before = this.reader.code(at - 1);
    if (before === PERCENT && (this.reader.bits(at) & this.reader.bits(at + 1) & HEX) !== 0) return at + 2;
    if (before !== BACKSLASH_CODE) return at;
    if (letter === 110 || letter === 114) this.command.escapedEnd(at);
    if (letter === 110 || letter === 114 || letter === 116 || letter === 98 || letter === 102) return at + 1;
    if (letter !== 117) return at;
    const behind = isColourEscape(this.reader.codes, at) ? behindColour(this.reader.codes, at + 5) : at + 5;
    return Math.min(behind, this.reader.length);
  }

  /** @param known what it says, where that has been found out */
  private name(start: number, end: number, next: number, known: NameKind | null): number {
    const dashes = this.reader.code(start - 1) === DASH ? this.dashesBefore(start) : 0;
    if (dashes > 0) {
      if (!this.isIdle && !this.reader.mayTry(start)) return this.hideStretch(start);
      const option = this.command.option(start, end, dashes);
      if (option !== null) return this.reader.mayVisit(WEIGHT_OF_OPTION) ? option : this.hideStretch(option);
    }
    if (next < 0) return this.command.word(start, end);
    const bits = CLASSES[next] ?? 0;
    if ((bits & AFTER_NAME) === 0) return end;
    if (this.reader.code(start - 1) >= LETTERS) {
      const behind = this.foreign(end);
      if (behind !== end) return behind;
    }
    const behind = this.named(start, end, dashes > 0, known ?? kindOfName(this.reader, start, end));
    if (behind !== end || ((bits & (QUOTE | BACKSLASH | SPACE)) === 0 && next !== OPEN)) return behind;
    return this.wordOfLine(start, end, bits);
  }

  private named(start: number, end: number, option: boolean, kind: NameKind): number {
    if (kind === 'none') return end;
    if (!this.reader.mayVisit(kind === 'key' ? WEIGHT_OF_KEY : WEIGHT_OF_NAME)) {
      const behind = this.hideStretch(end);
      if (behind !== end) return behind;
      const member = hideMember(this.reader, this.found, kind, end);
      if (member >= 0) return member;
    }
    if (kind === 'key' && hasShortValue(this.reader, end)) return end;
    if (kind === 'secret' || kind === 'pwd' || kind === 'token' || kind === 'key')
      this.tables.below(kind, start, end);
    return hideNamed(this.reader, this.found, { kind, start, end, option });
  }

  /** In a text with more names than are worth a look: all of the lines that follow, as far as they are one text. */
  private hideStretch(from: number): number {
    return this.found.add(from, stretchEnd(this.reader, from), REDACTED);
  }

  /** Words that tell something by where they stand. */
  private wordOfLine(start: number, end: number, bits: number): number {
    const length = end - start;
    if ((bits & BLANK) !== 0) {
      if (length === 6 && this.is('bearer', start)) return hideScheme(this.reader, this.found, end, false);
      if (length === 5 && this.is('basic', start)) return hideScheme(this.reader, this.found, end, true);
    }
    const behind = this.command.word(start, end);
    return behind === end || this.reader.mayVisit(WEIGHT_OF_KEY) ? behind : this.hideStretch(behind);
  }

  /** Whatever the case of its letters. */
  private is(word: string, start: number): boolean {
    let at = 0;
    while (at < word.length && (this.reader.code(start + at) | 32) === word.charCodeAt(at)) at++;
    return at === word.length;
  }

  private dashesBefore(start: number): number {
    const dashes = this.reader.code(start - 2) === DASH ? 2 : 1;
    const before = start - dashes - 1;
    if (before < 0) return dashes;
    const isEscape =
      this.reader.code(before - 1) === BACKSLASH_CODE && (this.reader.bits(before) & LOWER) !== 0;
    return (this.reader.bits(before) & (WORD | JOINT)) === 0 || isEscape ? dashes : 0;
  }

  private sign(at: number, code: number): number {
    if (code === 91) return this.behindLabel(at);
    if (code === COLON && isPort(this.reader, at + 1)) return this.port(at);
    const form = this.form(at);
    if (form >= 0) return form;
    if (code === COLON) return this.colon(at);
    if (code === ESCAPE) return behindColour(this.reader.codes, at + 1);
    if (code >= LETTERS) return this.otherLanguage(at);
    if (code === 46) return hideJwt(this.reader, this.found, at);
    if (code === 64) return hideTcpPassword(this.reader, this.found, at);
    if (((CLASSES[code] ?? 0) & NEWLINE) !== 0) this.command.end();
    return this.command.sign(at, code);
  }

  /** A character that a name in another language may end with. */
  private otherLanguage(at: number): number {
    if (((CLASSES[this.reader.code(at)] ?? 0) & NEWLINE) !== 0) this.command.end();
    if (!FOREIGN_ENDS.has(this.reader.code(at)) || (this.reader.bits(at + 1) & AFTER_NAME) === 0)
      return at + 1;
    return this.foreign(at + 1);
  }

  /** Behind the value of a name that has letters of another language and ends here. */
  private foreign(end: number): number {
    const start = foreignName(this.reader, end);
    if (start < 0) return end;
    if (!this.reader.mayVisit(WEIGHT_OF_NAME)) return this.hideStretch(end);
    this.tables.below('foreign', start, end);
    return hideNamed(this.reader, this.found, { kind: 'foreign', start, end, option: false });
  }

  /** The colon before a port: as a number of JSON it has no colon behind it. */
  private port(at: number): number {
    const end = portEnd(this.reader, at + 1);
    if (end < 0) return at + 1;
    return this.reader.mayTry(at) ? hidePgpass(this.reader, this.found, at, end) : this.hideStretch(at);
  }

  private colon(at: number): number {
    const next = this.reader.code(at + 1);
    if (next !== SLASH && next !== BACKSLASH_CODE) return at + 1;
    const url = this.urls.hide(at);
    return url === at + 1 || this.reader.mayVisit(WEIGHT_OF_KEY) ? url : this.hideStretch(url);
  }

  /** What stands in the place of a secret may be called by a name of one. */
  private behindLabel(at: number): number {
    if (!this.reader.startsWith('[redacted', at)) return at + 1;
    const end = this.reader.first(93, at, Math.min(this.reader.length, at + LONGEST_LABEL));
    return end < 0 ? at + 1 : end + 1;
  }

  /** Behind the secret with a form that is looked for by the character here, or -1. */
  private form(at: number): number {
    if (!BEGINNINGS.mayBe(this.reader.codes, at)) return -1;
    return this.reader.mayTry(at) ? INDEX.find(this.reader, at, this.tryForm) : this.hideStretch(at);
  }

  /** `mcp__server__tool`: behind the last secret in it, or -1. */
  private joined(from: number): number {
    const { reader } = this;
    const end = reader.run(from, WORD, Math.min(reader.length, from + LONGEST_JOINED));
    let behind = -1;
    for (let at = from; at < end; ) {
      const form = this.form(at);
      if (form >= 0) behind = form;
      const joint = reader.text.slice(Math.max(at, form), end).indexOf('__');
      if (joint < 0) break;
      at = Math.max(at, form) + joint + 2;
    }
    return behind;
  }

  private readonly tryForm = (form: Form, at: number): number => {
    if (form.anchor > 0 && !this.reader.startsWith(form.prefix, at)) return -1;
    if (form.alone && this.reader.code(at - 1) === DASH) return -1;
    if (!this.reader.mayTry(at)) return this.hideStretch(at);
    const end = formEnd(this.reader, form, at);
    if (end < 0) return -1;
    const start = formStart(this.reader, form, at);
    return start < 0 ? -1 : this.found.add(start, end, `[redacted:${form.kind}]`);
  };
}
