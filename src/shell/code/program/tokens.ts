import type { Language } from '../language.ts';
import { mayQuote, quotedFrom, type Strings } from './quoted.ts';

/**
 * A token of a program text. `name` includes its sigil, `sign` is an operator or a bracket, `line` a line end. A `text`
 * holds its literal and interpolated pieces; `shell` means that the language runs it as a command line.
 */
export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'sign' | 'line';
  readonly text: string;
  /** True if blanks precede it. */
  readonly spaced: boolean;
  readonly parts?: readonly (string | Tokens)[];
  /** Set for a list of words. */
  readonly words?: readonly string[];
  readonly shell?: boolean | undefined;
  /** For a `line`: indentation of the next line. */
  readonly indent?: number;
}

export interface Tokens {
  readonly list: readonly Token[];
  /** Position of the closing bracket by that of the opening one; the end if it is not closed. */
  readonly closing: ReadonlyMap<number, number>;
}

const BLANKS = /[^\S\n]+/y;
const NAME = /[$@%&]{0,2}[A-Za-z_\u00a0-\ud7ff][\w\u00a0-\ud7ff]*[!?]?/y;
/** In JavaScript, a `$` is a letter. */
const DOLLAR_NAME = /#?[A-Za-z_$\u00a0-\ud7ff][\w$\u00a0-\ud7ff]*/y;
const UNKNOWN_PIECE = /[\ue000-\uf8ff]+/y;
const NUMBER = /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d+)?/y;
const SIGN =
  /\*\*=|\.\.\.|===|!==|\?\?=|\|\|=|&&=|<=>|>>>|=>|->|::|\?\.(?!\d)|&\.|[=!<>]=|=~|!~|[-+*/%.|&^:]=|\+\+|--|\|\||&&|\?\?|\.\.|<<|>>|\/\/|\*\*|<-|[^\s]/y;
/** After these a value begins, so a following sign is not a binary operator. */
const BEFORE_VALUE =
  /^(?:return|in|of|and|or|not|if|elsif|elif|unless|while|until|puts|print|case|when|typeof|await|yield|new|else|do|then|throw|raise|x|eq|ne|split|grep)$/;
const EXPRESSION = /\/(?![*/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,60}\]){1,160}\/[a-z]*/y;
/** These signs never join with others. */
const PLAIN_SIGNS = '()[]{},;';
const OPENS = '([{';
const CLOSES = ')]}';

/** The tokens of a program text, in one pass. */
export function tokensOf(code: string, language: Language, nesting = 0): Tokens {
  return new Scanner(code, language, nesting).read();
}

class Scanner {
  private readonly list: Token[] = [];
  private readonly closing = new Map<number, number>();
  private readonly open: number[] = [];
  private readonly strings: Strings;
  private readonly code: string;
  private readonly language: Language;
  private readonly name: RegExp;
  private at = 0;
  private spaced = false;

  constructor(code: string, language: Language, nesting: number) {
    this.code = code;
    this.language = language;
    this.name = language.inserts === 'dollar' ? DOLLAR_NAME : NAME;
    this.strings = { code, language, nesting, unclosed: new Set(), jump: null, tokens: tokensOf };
  }

  read(): Tokens {
    while (this.at < this.code.length) if (!this.blank() && !this.quoted()) this.plain();
    for (const opener of this.open) this.closing.set(opener, this.list.length);
    return { list: this.list, closing: this.closing };
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.code)?.[0];
  }

  private add(token: Omit<Token, 'spaced'>, end: number): void {
    this.list.push(
      token.parts || token.words
        ? { ...token, spaced: this.spaced }
        : { kind: token.kind, text: token.text, spaced: this.spaced, shell: token.shell },
    );
    this.spaced = false;
    this.at = end;
  }

  private blank(): boolean {
    const character = this.code.charAt(this.at);
    // Most tokens begin with a letter.
    if (character >= 'A' && character !== '\\' && character < '\u0080') return false;
    if (character === '\n') {
      this.at = this.strings.jump ?? this.at + 1;
      this.strings.jump = null;
      const indent = this.take(BLANKS)?.length ?? 0;
      // Collapses empty lines.
      if (this.list.at(-1)?.kind === 'line') this.list.pop();
      this.list.push({ kind: 'line', text: '\n', spaced: this.spaced, indent });
      return true;
    }
    const isJoined = character === '\\' && this.code[this.at + 1] === '\n';
    const blank = isJoined ? 2 : (this.take(BLANKS)?.length ?? 0);
    this.at += blank;
    this.spaced ||= blank > 0;
    return blank > 0;
  }

  /** True if a value rather than an operator may begin here. */
  private startsValue(): boolean {
    const before = this.list.at(-1);
    return startsValue(before) || (this.language.bareCalls && this.spaced && before?.kind === 'name');
  }

  private quoted(): boolean {
    if (!mayQuote(this.code, this.at, this.language)) return false;
    const isValue = this.startsValue();
    const found = quotedFrom(this.strings, this.at, isValue);
    if (found !== null) this.add(found.token, found.end);
    const regular =
      found === null && isValue && this.code[this.at] === '/' ? this.take(EXPRESSION) : undefined;
    if (regular !== undefined) this.add({ kind: 'name', text: '/' }, this.at + regular.length);
    return found !== null || regular !== undefined;
  }

  private plain(): void {
    const character = this.code.charAt(this.at);
    if (PLAIN_SIGNS.includes(character)) {
      this.sign(character);
      return;
    }
    const name = nameAt(this.take(this.name), this.language, this.startsValue()) ?? this.take(UNKNOWN_PIECE);
    if (name !== undefined) {
      this.add({ kind: 'name', text: name }, this.at + name.length);
      return;
    }
    const number = this.take(NUMBER);
    if (number !== undefined) {
      this.add({ kind: 'number', text: number.replaceAll('_', '') }, this.at + number.length);
      return;
    }
    this.sign(this.take(SIGN) ?? character);
  }

  private sign(sign: string): void {
    if (OPENS.includes(sign)) this.open.push(this.list.length);
    const opener = CLOSES.includes(sign) ? this.open.pop() : undefined;
    if (opener !== undefined) this.closing.set(opener, this.list.length);
    this.add({ kind: 'sign', text: sign }, this.at + sign.length);
  }
}

/** `%` and `&` are sigils only in Perl, where a value begins; `!` and `?` end a name in a few languages. */
function nameAt(name: string | undefined, language: Language, isValue: boolean): string | undefined {
  if (name === undefined) return undefined;
  if (/^[%&]/.test(name) && !(language.sigils && isValue)) return undefined;
  if (name.startsWith('@@') || !/[!?]$/.test(name)) return name;
  return language.blocks === 'end' ? name : name.slice(0, -1) || undefined;
}

function startsValue(before: Token | undefined): boolean {
  if (before === undefined || before.kind === 'line') return true;
  if (before.kind === 'sign') return !CLOSES.includes(before.text);
  return before.kind === 'name' && BEFORE_VALUE.test(before.text);
}
