import { MAX_DEPTH } from './limits.ts';

type Scan = 'object' | 'syntax' | 'depth';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const LOWER_U = 0x75;
const ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const WORDS: ReadonlyMap<number, Buffer> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);

/**
 * True for one JSON object of acceptable depth. JSON.parse can't check the depth before it has built the value.
 * native/src/json.rs has the same scanner, and native/vectors.txt tests both.
 */
export function scanObject(text: Uint8Array): Scan {
  const cursor = new Cursor(text);
  cursor.space();
  if (text[cursor.at] !== OPEN_OBJECT) return 'syntax';
  const found = cursor.value();
  cursor.space();
  return found === 'object' && cursor.at !== text.length ? 'syntax' : found;
}

/** True if the text is nested too deep. A guess if the text isn't JSON. */
export function isTooDeep(text: string, limit: number = MAX_DEPTH): boolean {
  if (!hasMoreBrackets(text, limit)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if (code === closing(OPEN_OBJECT) || code === closing(OPEN_ARRAY)) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/**
 * Without this many opening brackets nothing can be too deep, and finding them is much cheaper than counting levels.
 */
function hasMoreBrackets(text: string, limit: number): boolean {
  let found = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      found += 1;
      if (found > limit) return true;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

class Cursor {
  at = 0;
  private readonly text: Uint8Array;

  constructor(text: Uint8Array) {
    this.text = text;
  }

  space(): void {
    for (let byte = this.text[this.at]; isSpace(byte); byte = this.text[this.at]) this.at += 1;
  }

  value(): Scan {
    const open: number[] = [];
    for (;;) {
      const byte = this.text[this.at];
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (open.length === MAX_DEPTH) return 'depth';
        this.at += 1;
        this.space();
        if (!this.eat(closing(byte))) {
          open.push(byte);
          if (byte === OPEN_OBJECT && !this.key()) return 'syntax';
          continue;
        }
      } else if (!this.scalar(byte)) {
        return 'syntax';
      }
      let bracket = open.at(-1);
      for (; bracket !== undefined; bracket = open.at(-1)) {
        this.space();
        if (this.eat(COMMA)) break;
        if (!this.eat(closing(bracket))) return 'syntax';
        open.pop();
      }
      if (bracket === undefined) return 'object';
      this.space();
      if (bracket === OPEN_OBJECT && !this.key()) return 'syntax';
    }
  }

  private eat(byte: number): boolean {
    if (this.text[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  private key(): boolean {
    if (!this.string()) return false;
    this.space();
    if (!this.eat(COLON)) return false;
    this.space();
    return true;
  }

  private scalar(first: number | undefined): boolean {
    if (first === QUOTE) return this.string();
    if (first === MINUS || isDigit(first)) return this.number();
    const word = first === undefined ? undefined : WORDS.get(first);
    return word?.every((byte) => this.eat(byte)) ?? false;
  }

  private string(): boolean {
    if (!this.eat(QUOTE)) return false;
    for (let byte = this.text[this.at]; byte !== undefined; byte = this.text[this.at]) {
      this.at += 1;
      if (byte === QUOTE) return true;
      if (byte < 0x20) return false;
      if (byte === BACKSLASH && !this.escape()) return false;
    }
    return false;
  }

  private escape(): boolean {
    const kind = this.text[this.at];
    if (kind === undefined) return false;
    this.at += 1;
    if (kind !== LOWER_U) return ESCAPES.has(kind);
    for (let digit = 0; digit < 4; digit += 1, this.at += 1) {
      if (!isHexDigit(this.text[this.at])) return false;
    }
    return true;
  }

  private number(): boolean {
    this.eat(MINUS);
    if (!this.eat(ZERO) && !this.digits()) return false;
    if (this.eat(DOT) && !this.digits()) return false;
    if (!this.eat(LOWER_E) && !this.eat(UPPER_E)) return true;
    if (!this.eat(PLUS)) this.eat(MINUS);
    return this.digits();
  }

  private digits(): boolean {
    const start = this.at;
    while (isDigit(this.text[this.at])) this.at += 1;
    return this.at > start;
  }
}

/** In ASCII each closing bracket comes two after its opening one. */
function closing(bracket: number): number {
  return bracket + 2;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
