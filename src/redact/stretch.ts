import { CLASSES, NEWLINE } from './characters.ts';
import { levelOf, type Reader } from './reader.ts';

const BACKSLASH = 92;
const DOUBLE_QUOTE = 34;
/** Shorter ones would be as many as the names that they spare us. */
const SHORTEST_STRETCH = 256;

/** The end of the first line that ends so far behind this place; in JSON no further than the end of its string. */
export function stretchEnd(reader: Reader, from: number): number {
  const { codes, length, isJson } = reader;
  const enough = from + SHORTEST_STRETCH;
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
