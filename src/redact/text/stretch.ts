import { CLASSES, NEWLINE } from './characters.ts';
import { levelOf, type Reader } from './reader.ts';

const BACKSLASH = 92;
const DOUBLE_QUOTE = 34;
const COMMA = 44;
const CLOSING = 93;
/** Shorter ones would be as many as the names that they spare us. */
const SHORTEST_STRETCH = 256;

/**
 * The end of the first line that ends so far behind this place. In JSON no further than the end of its string, or of
 * one behind it in the same list: what is taken out then begins and ends in strings of one list.
 */
export function stretchEnd(reader: Reader, from: number): number {
  const enough = from + SHORTEST_STRETCH;
  let at = endInString(reader, from, enough);
  // A name with nothing behind it in its string is an entry of a list of words.
  if (at === from) return at;
  while (reader.isJson && at < enough && isBetweenStrings(reader, at)) {
    const end = endInString(reader, at + 3, enough);
    // With a line break in it, it goes on; before a colon it is the name of a value.
    if (reader.code(end) !== DOUBLE_QUOTE || !isOfList(reader.code(end + 1))) break;
    at = end;
  }
  return at;
}

function endInString(reader: Reader, from: number, enough: number): number {
  const { codes, length, isJson } = reader;
  let slashes = 0;
  let at = from;
  for (; at < length; at++) {
    const code = codes[at] ?? 0;
    if (code === BACKSLASH) {
      slashes += 1;
      continue;
    }
    if (isJson && code === DOUBLE_QUOTE && levelOf(slashes) === 0) break;
    if (at >= enough && ((CLASSES[code] ?? 0) & NEWLINE) !== 0) break;
    // An escape is left whole.
    if (at >= enough && slashes > 0 && (code === 110 || code === 114)) {
      at -= slashes;
      break;
    }
    slashes = 0;
  }
  reader.steps += at - from + 1;
  return at;
}

/** `","`. */
function isBetweenStrings(reader: Reader, at: number): boolean {
  return (
    reader.code(at) === DOUBLE_QUOTE && reader.code(at + 1) === COMMA && reader.code(at + 2) === DOUBLE_QUOTE
  );
}

const isOfList = (code: number) => code === COMMA || code === CLOSING;
