import { isStandIn, looksLikeCredential } from '../names/judge.ts';
import { isNameOfSecret } from '../names/name-kinds.ts';
import { AUTHORITY_END, BACKSLASH, JOINT, QUOTE, SPACE, WORD } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';

const SLASH = 47;
const COLON = 58;
const AT = 64;

/** Schemes whose paths have `@` in them; a password of the others may have a slash in it. */
const WEB = /^(?:https?|wss?|file|git|ssh|npm|jsr|app|chrome|vscode|data|blob)$/i;

const LONGEST_SCHEME = 12;
const JUDGED = 200;
const SHORTEST_USER_TOKEN = 16;

/** Passwords in URLs. Remembers how far it has looked, so that no part of a text is looked through twice. */
export class Urls {
  private readonly reader: Reader;
  private readonly found: Findings;
  private knownUntil = -1;
  private lastAt = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  /** For the colon behind a scheme: where to read on. */
  hide(colon: number): number {
    const start = this.behindSlashes(colon + 1);
    if (start < 0) return colon + 1;
    const end = this.reader.until(start, AUTHORITY_END);
    let at = this.reader.last(AT, start, end);
    if (at < 0 && !WEB.test(this.scheme(colon))) at = this.lastAtOfWord(start);
    return at <= start ? start : this.hideUser(start, at);
  }

  private scheme(colon: number): string {
    let start = colon;
    while (colon - start < LONGEST_SCHEME && (this.reader.bits(start - 1) & (WORD | JOINT)) !== 0) start--;
    // In serialised text the letter of an escape sticks to the word behind it.
    return this.reader.slice(this.reader.code(start - 1) === 92 ? start + 1 : start, colon);
  }

  /** `//`, also as `\/\/`. */
  private behindSlashes(from: number): number {
    let at = from;
    for (let count = 0; count < 2; count += 1) {
      at = this.reader.run(at, BACKSLASH);
      if (this.reader.code(at) !== SLASH) return -1;
      at += 1;
    }
    return at;
  }

  private lastAtOfWord(start: number): number {
    if (start >= this.knownUntil) {
      this.knownUntil = this.reader.until(start, SPACE | QUOTE | BACKSLASH);
      this.lastAt = this.reader.last(AT, start, this.knownUntil);
    }
    return this.lastAt;
  }

  private hideUser(start: number, at: number): number {
    const { reader, found } = this;
    // A secret with a form was the user or the password.
    if (reader.slice(start, Math.min(at, start + JUDGED)).includes('[redacted')) return start;
    const colon = reader.first(COLON, start, at);
    if (colon >= 0) {
      const password = reader.slice(colon + 1, Math.min(at, colon + 1 + JUDGED));
      const isNone = password === '' || isStandIn(password) || isNameOfSecret(reader, colon + 1, at);
      return isNone ? start : found.add(colon + 1, at, REDACTED);
    }
    const user = reader.slice(start, Math.min(at, start + JUDGED));
    const isToken = !isStandIn(user) && looksLikeCredential(user, SHORTEST_USER_TOKEN);
    return isToken ? found.add(start, at, REDACTED) : start;
  }
}
