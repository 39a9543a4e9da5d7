import { beginningOf } from '../../model/text.ts';
import { sha256 } from '../../platform/sha256.ts';
import { wholeOf } from '../../store/record/long-text.ts';
import type { Excerpt } from './observation.ts';

/** How much of a text is kept, by what it is. */
export const KEPT = {
  intent: 200,
  message: 2000,
  change: 2000,
  command: 2000,
  input: 1000,
  plan: 4000,
  note: 2000,
} as const;

/** The beginning of a text; its length and hash stand for the rest. */
export function excerpt(text: string, most: number): Excerpt {
  if (text.length <= most) return { text, length: text.length, hash: null };
  // The store may have kept a part of it only.
  const whole = wholeOf(text);
  return {
    text: beginningOf(text, most),
    length: whole?.length ?? text.length,
    hash: whole?.hash ?? sha256(text),
  };
}
