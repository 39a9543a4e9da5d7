import { CLASSES, DIGIT, LETTER } from './characters.ts';

const BRACKET = 91;
const SEMICOLON = 59;
/** `38;2;255;255;255`. */
const LONGEST = 20;

/** Behind the colour that a terminal sets by `ESC [ 31 m`, for the place of its bracket; else the place itself. */
export function behindColour(codes: Uint16Array, bracket: number): number {
  if (codes[bracket] !== BRACKET) return bracket;
  let at = bracket + 1;
  const limit = at + LONGEST;
  while (at < limit && (codes[at] === SEMICOLON || (bitsOf(codes, at) & DIGIT) !== 0)) at++;
  return (bitsOf(codes, at) & LETTER) !== 0 ? at + 1 : bracket;
}

const bitsOf = (codes: Uint16Array, at: number) => CLASSES[codes[at] ?? 0] ?? 0;

/** Whether the escape of JSON whose `u` stands here is the one that begins a colour: `u001b`. */
export function isColourEscape(codes: Uint16Array, at: number): boolean {
  return (
    codes[at] === 117 &&
    codes[at + 1] === 48 &&
    codes[at + 2] === 48 &&
    codes[at + 3] === 49 &&
    ((codes[at + 4] ?? 0) | 32) === 98
  );
}
