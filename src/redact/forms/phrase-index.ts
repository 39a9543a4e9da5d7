import { PHRASE_WORDS } from './phrase-words.ts';

export const SHORTEST_WORD = 3;
export const LONGEST_WORD = 8;
export const WORDS_IN_LIST = 2_048;

/** Words by their first four letters, which no two of them share. */
const SLOTS = 8_192;
let words: readonly string[] = [];
let slots = new Int16Array(0);

const slotOf = (first: number, second: number, third: number, fourth: number) =>
  Math.imul(
    ((first & 31) << 15) | ((second & 31) << 10) | ((third & 31) << 5) | (fourth & 31),
    0x9e3779b1,
  ) >>> 19;

function learnWords(): void {
  words = PHRASE_WORDS.split(' ');
  slots = new Int16Array(SLOTS).fill(-1);
  for (const [index, word] of words.entries()) {
    const [a = 0, b = 0, c = 0, d = 0] = Array.from(word, (letter) => letter.charCodeAt(0));
    let slot = slotOf(a, b, c, d);
    while (slots[slot] !== -1) slot = (slot + 1) % SLOTS;
    slots[slot] = index;
  }
}

/** Which word of the list stands between these places, small or not; -1 for none. */
export function indexOfWord(codes: Uint16Array, start: number, end: number): number {
  const size = end - start;
  if (size < SHORTEST_WORD || size > LONGEST_WORD) return -1;
  if (words.length === 0) learnWords();
  const fourth = size > SHORTEST_WORD ? (codes[start + 3] ?? 0) : 0;
  let slot = slotOf(codes[start] ?? 0, codes[start + 1] ?? 0, codes[start + 2] ?? 0, fourth);
  for (let index = slots[slot] ?? -1; index >= 0; index = slots[slot] ?? -1) {
    if (isWord(words[index] ?? '', codes, start, size)) return index;
    slot = (slot + 1) % SLOTS;
  }
  return -1;
}

function isWord(word: string, codes: Uint16Array, start: number, size: number): boolean {
  if (word.length !== size) return false;
  let at = 0;
  while (at < size && ((codes[start + at] ?? 0) | 32) === word.charCodeAt(at)) at++;
  return at === size;
}
