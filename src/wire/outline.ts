import { parseJson } from '../model/json.ts';
import {
  OUTLINE_FIELD_BYTES,
  OUTLINE_LEVEL_BYTES,
  OUTLINE_SCALAR_BYTES,
  OUTLINE_TEXT_BYTES,
} from './limits.ts';

/** The fields of the object and of its direct children, where agents name the event, the session and the tool. */
const LEVELS = 2;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LOWER_U = 0x75;

/**
 * What can be found in the text of an object that cannot be read in full: because it is too large or too deep, ends
 * in the middle or is not JSON from some place on. Scalars as they are, long texts cut, arrays and what is deeper
 * empty. Null where there is no object or nothing in it. One pass, whatever the bytes are. The same reader is in
 * native/src/outline.rs, and native/outlines.txt holds both to the same answers.
 */
export function outlineOf(text: Uint8Array, levels: number = LEVELS): Record<string, unknown> | null {
  const found = new Reader(text, levels).object(0);
  return Object.keys(found).length === 0 ? null : found;
}

class Reader {
  private at = 0;
  /** The text ended, or isn't JSON from here on: the outline is complete. */
  private stopped = false;
  private readonly text: Buffer;
  /** Bytes that may still be kept per level. */
  private readonly room: number[];

  constructor(text: Uint8Array, levels: number) {
    this.text = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
    this.room = Array.from({ length: levels }, () => OUTLINE_LEVEL_BYTES);
  }

  object(level: number): Record<string, unknown> {
    const fields: [string, unknown][] = [];
    this.space();
    if (!this.eat(OPEN_OBJECT)) return {};
    this.space();
    if (this.eat(CLOSE_OBJECT)) return {};
    while (!this.stopped) {
      const name = this.name();
      if (name === null) break;
      const value = this.value(level);
      if (value !== undefined && this.takeRoom(level, name, value)) fields.push([name, value]);
      this.space();
      if (this.eat(COMMA)) this.space();
      else if (this.eat(CLOSE_OBJECT)) break;
      else this.stopped = true;
    }
    // Not by assignment, because a field may have the name of a prototype property.
    return Object.fromEntries(fields);
  }

  /** The name of a field, up to the start of its value. */
  private name(): string | null {
    const name = this.string();
    this.space();
    if (name === null || !this.eat(COLON)) {
      this.stopped = true;
      return null;
    }
    this.space();
    return name;
  }

  /** Undefined for an incomplete or invalid scalar. An incomplete object contains what was found in it. */
  private value(level: number): unknown {
    const first = this.text[this.at];
    if (first === QUOTE) return this.string() ?? undefined;
    if (first === OPEN_OBJECT && level + 1 < this.room.length) return this.object(level + 1);
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      this.skip();
      return first === OPEN_OBJECT ? {} : [];
    }
    return this.scalar();
  }

  /** Truncated if too long; null if it doesn't end or can't be unescaped. */
  private string(): string | null {
    if (!this.eat(QUOTE)) return null;
    const { text, at: start } = this;
    let at = start;
    let kept = start;
    let escapedUntil = start;
    for (let byte = text[at]; byte !== QUOTE; byte = text[at]) {
      if (byte === undefined || byte < 0x20) return this.stop();
      if (byte === BACKSLASH) escapedUntil = at + (text[at + 1] === LOWER_U ? 6 : 2);
      at += byte === BACKSLASH ? 2 : 1;
      if (at - start <= OUTLINE_TEXT_BYTES && at >= escapedUntil) kept = at;
    }
    this.at = at + 1;
    // Not in the middle of a character.
    if (kept < at) while (kept > start && ((text[kept] ?? 0) & 0xc0) === 0x80) kept -= 1;
    const value = parseJson(`"${text.toString('utf8', start, kept)}"`);
    return typeof value === 'string' ? value : this.stop();
  }

  private scalar(): unknown {
    const start = this.at;
    while (isWord(this.text[this.at])) this.at += 1;
    // At the very end, it may be incomplete.
    const isWhole = this.at < this.text.length && this.at - start <= OUTLINE_SCALAR_BYTES;
    const value = isWhole ? parseJson(this.text.toString('latin1', start, this.at)) : undefined;
    if (value === undefined) this.stopped = true;
    return value;
  }

  /** Skips an array or object of any depth. */
  private skip(): void {
    let depth = 0;
    for (; this.at < this.text.length; this.at += 1) {
      const byte = this.text[this.at];
      if (byte === QUOTE) this.skipString();
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (depth === 0) {
        this.at += 1;
        return;
      }
    }
    this.stopped = true;
  }

  /** Skips to the closing quote. */
  private skipString(): void {
    this.at += 1;
    while (this.at < this.text.length && this.text[this.at] !== QUOTE) {
      this.at += this.text[this.at] === BACKSLASH ? 2 : 1;
    }
  }

  /** False if the level is full. Nested values count on their own level. */
  private takeRoom(level: number, name: string, value: unknown): boolean {
    const text = typeof value === 'string' ? Buffer.byteLength(value) : 0;
    const left = (this.room[level] ?? 0) - Buffer.byteLength(name) - text - OUTLINE_FIELD_BYTES;
    if (left >= 0) this.room[level] = left;
    return left >= 0;
  }

  private stop(): null {
    this.stopped = true;
    return null;
  }

  private space(): void {
    for (;;) {
      const byte = this.text[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at += 1;
    }
  }

  private eat(byte: number): boolean {
    if (this.text[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }
}

/** Characters of numbers, `true`, `false` and `null`. */
function isWord(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (lower >= 0x61 && lower <= 0x7a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e
  );
}
