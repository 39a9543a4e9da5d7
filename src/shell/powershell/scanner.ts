/** Thrown for text that can't be understood; caught only in `parsePowerShell`. */
export const NOT_READ: unique symbol = Symbol('not read');

const NAME = /[A-Za-z_]\w*/y;

/** The text and the current position. */
export class Scanner {
  readonly text: string;
  at = 0;
  private depth = 0;
  private parts = 0;

  constructor(text: string) {
    this.text = text;
  }

  get next(): string {
    return this.text.charAt(this.at);
  }

  get isDone(): boolean {
    return this.at >= this.text.length;
  }

  fail(): never {
    throw NOT_READ;
  }

  sees(what: string): boolean {
    return this.text.startsWith(what, this.at);
  }

  /** The match of a sticky pattern at this position. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  peek(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  take(what: string): boolean {
    if (!this.sees(what)) return false;
    this.at += what.length;
    return true;
  }

  expect(what: string): void {
    if (!this.take(what)) this.fail();
  }

  name(): string {
    return this.match(NAME) ?? this.fail();
  }

  /** Counts a part of the text. Thousands of parts are an attempt to slow down the parser. */
  part(): void {
    if (++this.parts > MAX_PARTS) this.fail();
  }

  /** Runs a grammar rule one level deeper. */
  deeper<T>(body: () => T): T {
    this.part();
    if (++this.depth > MAX_DEPTH) this.fail();
    const result = body();
    this.depth--;
    return result;
  }

  /** Skips spaces, comments and lines continued by a backtick. */
  spaces(): void {
    for (;;) {
      const before = this.at;
      this.match(SPACES);
      if (this.sees('<#')) {
        const end = this.text.indexOf('#>', this.at + 2);
        this.at = end < 0 ? this.fail() : end + 2;
      } else if (this.next === '#') this.match(COMMENT);
      if (this.at === before) return;
    }
  }

  /** Skips these and line ends. */
  lines(): void {
    do this.spaces();
    while (this.match(LINE_ENDS) !== null);
  }

  /** Skips these and statement separators. */
  separators(): void {
    do this.lines();
    while (this.take(';'));
  }
}

/** Deeper than any real text. */
const MAX_DEPTH = 100;
const MAX_PARTS = 6_000;
const SPACES = /(?:[^\S\r\n]|`\r?\n)+/y;
const LINE_ENDS = /[\r\n]+/y;
const COMMENT = /#[^\r\n]*/y;
