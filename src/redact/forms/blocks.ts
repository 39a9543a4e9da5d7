import { BACKSLASH, HEADER, SPACE, TOKEN } from '../text/characters.ts';
import { Findings, NONE } from '../text/findings.ts';
import { levelOf, type Reader } from '../text/reader.ts';

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const LABEL = /^[A-Z0-9 ]*-----/;
const LONGEST_LABEL = 48;
/** The largest keys in use, with room for line numbers of an editor. */
const LONGEST_KEY = 32_768;
const OPEN = '<private>';
const CLOSE = '</private>';

/** Text that a person marked as private; in JSON up to the end of its string. */
export function findPrivateMarks(reader: Reader): Findings {
  const first = reader.indexOf(OPEN, 0);
  if (first < 0) return NONE;
  const found = new Findings();
  const close = nextOf(reader, CLOSE);
  for (let at = first; at >= 0; ) {
    const closing = close(at);
    const end = closing < 0 ? reader.length : closing + CLOSE.length;
    const last = reader.isJson ? stringEnd(reader, at, end) : end;
    found.add(at, last, '[private]');
    at = reader.indexOf(OPEN, last);
  }
  return found;
}

/** The next place of a piece from places that only grow: the text is searched once. */
function nextOf(reader: Reader, piece: string): (from: number) => number {
  let next = -2;
  return (from) => {
    if (next === -2 || (next >= 0 && next < from)) next = reader.indexOf(piece, from);
    return next;
  };
}

/** The quote that ends the JSON string, before a limit. */
function stringEnd(reader: Reader, from: number, limit: number): number {
  let slashes = 0;
  let at = from;
  for (; at < limit; at++) {
    const code = reader.codes[at];
    if (code === 34 && levelOf(slashes) === 0) break;
    slashes = code === 92 ? slashes + 1 : 0;
  }
  reader.steps += at - from + 1;
  return at;
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly isPrivate: boolean;
}

const NO_BLOCKS: readonly Block[] = [];

/** Keys go whole, also when they were cut off. */
export function findPrivateKeys(reader: Reader): Findings {
  const blocks = blocksIn(reader);
  if (blocks.length === 0) return NONE;
  const found = new Findings();
  for (const { start, end, isPrivate } of blocks)
    if (isPrivate) found.add(start, end, '[redacted:private-key]');
  return found;
}

/** Certificates, public keys and signatures, which look as random as keys do. */
export function publicBlocks(reader: Reader): readonly Block[] {
  return blocksIn(reader).filter(({ isPrivate }) => !isPrivate);
}

function blocksIn(reader: Reader): readonly Block[] {
  const first = reader.indexOf(BEGIN, 0);
  if (first < 0) return NO_BLOCKS;
  const blocks: Block[] = [];
  const footer = nextOf(reader, END);
  for (let start = first; start >= 0; ) {
    const label = labelAt(reader, start + BEGIN.length);
    const body = start + BEGIN.length + (label?.length ?? 0);
    // A quote right behind it: a program that looks for keys.
    const isMention = label === null || reader.quoteAt(body) >= 0;
    const end = isMention ? body : blockEnd(reader, body, footer(body));
    if (!isMention) blocks.push({ start, end, isPrivate: label.includes('PRIVATE KEY') });
    start = reader.indexOf(BEGIN, end);
  }
  return blocks;
}

function labelAt(reader: Reader, at: number): string | null {
  return LABEL.exec(reader.slice(at, at + LONGEST_LABEL))?.[0] ?? null;
}

/** Behind the line that ends the block; where it was cut off, behind the last character that may be of it. */
function blockEnd(reader: Reader, body: number, footer: number): number {
  if (footer >= 0 && footer - body < LONGEST_KEY) {
    const end = footer + END.length + (labelAt(reader, footer + END.length)?.length ?? 0);
    return reader.isJson ? stringEnd(reader, body, end) : end;
  }
  const end = reader.run(body, TOKEN | SPACE | BACKSLASH | HEADER);
  // Trailing backslashes belong to the following text.
  let last = end;
  while (last > body && reader.code(last - 1) === 92) last--;
  return last;
}
