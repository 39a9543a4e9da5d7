import { kindOfName } from '../names/name-kinds.ts';
import { JOINT, WORD } from '../text/characters.ts';
import type { Reader } from '../text/reader.ts';

const LONGEST_NAME = 160;
const COLON = 58;
const SLASH = 47;

/** Behind the name of a setting that begins here, such as `//registry.example.org/:_authToken`, if its value is a secret; else -1. */
export function behindEntryName(reader: Reader, from: number): number {
  const start = Math.max(from, reader.openAt(from, false));
  const limit = Math.min(reader.length, start + LONGEST_NAME);
  let word = start;
  let at = start;
  while (at < limit) {
    const code = reader.code(at);
    if (code === COLON || code === SLASH) word = at + 1;
    else if ((reader.bits(at) & (WORD | JOINT)) === 0) break;
    at += 1;
  }
  reader.steps += at - start;
  const kind = at > word ? kindOfName(reader, word, at) : 'none';
  if (kind !== 'secret' && kind !== 'token') return -1;
  // Of a list of words the quote belongs to the gap.
  const quote = start > from ? reader.quoteAt(at) : -1;
  return quote < 0 || reader.isOuterQuote ? at : quote;
}
