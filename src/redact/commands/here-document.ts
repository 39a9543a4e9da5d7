import { BLANK, QUOTE, WORD } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';

const DASH = 45;
const LONGEST_MARK = 40;
const LONGEST_LINE = 400;
const LONGEST_BODY = 4_096;

/** Here-documents that are secrets, without their marks. */
export class HereDocuments {
  private readonly reader: Reader;
  private readonly found: Findings;
  /** Up to here one without an end has been read: others before it are not read to theirs. */
  private openUntil = -1;

  constructor(reader: Reader, found: Findings) {
    this.reader = reader;
    this.found = found;
  }

  /** For the place behind `<<`: where to read on. */
  hide(from: number): number {
    const { reader } = this;
    let at = reader.code(from) === DASH ? from + 1 : from;
    at = reader.run(at, BLANK, Math.min(reader.length, at + LONGEST_MARK));
    at = Math.max(at, reader.quoteAt(at));
    const markEnd = reader.run(at, WORD, Math.min(reader.length, at + LONGEST_MARK));
    const start = markEnd === at ? -1 : behindLine(reader, markEnd);
    if (start < 0) return from;
    const end = this.endOf(start, reader.slice(at, markEnd));
    return end > start ? this.found.add(start, end, REDACTED) : from;
  }

  /** Before the line with the mark. Without one, the first line still counts as a secret. */
  private endOf(start: number, mark: string): number {
    const { reader } = this;
    const limit = start < this.openUntil ? start : Math.min(reader.length, start + LONGEST_BODY);
    let line = start;
    while (line >= 0 && line < limit) {
      const text = reader.run(line, BLANK, limit);
      if (reader.startsWith(mark, text) && (reader.bits(text + mark.length) & WORD) === 0)
        return line > start ? breakBefore(reader, line) : start;
      line = behindLine(reader, line);
    }
    this.openUntil = Math.max(this.openUntil, limit);
    const next = behindLine(reader, start);
    return next < 0 ? reader.lineEnd(start) : breakBefore(reader, next);
  }
}

/** Behind the end of this line; -1 at the end of the text, or of a string of JSON. */
function behindLine(reader: Reader, from: number): number {
  const limit = Math.min(reader.length, from + LONGEST_LINE);
  for (let at = from; at < limit; at++) {
    const next = reader.newlineAt(at);
    if (next >= 0) {
      reader.steps += at - from + 1;
      return next;
    }
    if (
      (reader.bits(at) & QUOTE) !== 0 &&
      reader.isJson &&
      reader.code(at) === 34 &&
      reader.code(at - 1) !== 92
    )
      break;
  }
  reader.steps += limit - from;
  return -1;
}

/** Where the line break begins that ends here, an escape with all of its backslashes. */
function breakBefore(reader: Reader, end: number): number {
  let at = end - 1;
  while (reader.code(at - 1) === 92) at -= 1;
  return at;
}
