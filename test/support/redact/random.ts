const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SMALL = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The same every time, and no pattern to the eye. */
export function random(seed: number, length: number, alphabet: string = LETTERS): string {
  let state = seed * 2654435761 + 12345;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    text += alphabet[(state >>> 8) % alphabet.length];
  }
  return text;
}

export const hex = (seed: number, length: number): string => random(seed, length, '0123456789abcdef');
export const upper = (seed: number, length: number): string =>
  random(seed, length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');
export const small = (seed: number, length: number): string => random(seed, length, SMALL);
export const digits = (seed: number, length: number): string => random(seed, length, '123456789');
export const base64 = (seed: number, bytes: number): string =>
  Buffer.from(random(seed, bytes, `${LETTERS}!?%&/()[]{}`)).toString('base64');
export const uuid = (seed: number): string =>
  [8, 4, 4, 4, 12].map((length, at) => hex(seed * 7 + at, length)).join('-');
