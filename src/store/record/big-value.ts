const BIG_CHARACTERS = 256 << 10;
/** Overhead of a value besides its text. */
const CHARACTERS_A_VALUE = 8;

/** True if a value has so much text that redacting it here would delay other calls. */
export function isBig(value: unknown): boolean {
  let size = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && size <= BIG_CHARACTERS) {
    const next = open.pop();
    size += CHARACTERS_A_VALUE;
    if (typeof next === 'string') size += next.length;
    else if (typeof next === 'object' && next !== null) for (const one of Object.values(next)) open.push(one);
  }
  return size > BIG_CHARACTERS;
}
