import { createHash } from 'node:crypto';
import type { Excerpt } from './observation.ts';

/** How much of a text is kept, by what it is. */
export const KEPT = {
  intent: 200,
  message: 2000,
  change: 2000,
  command: 2000,
  input: 1000,
  plan: 4000,
} as const;

/** The beginning of a text; the whole is told by its length and hash. */
export function excerpt(text: string, most: number): Excerpt {
  if (text.length <= most) return { text, length: text.length, hash: null };
  return {
    text: wellFormed(text.slice(0, most)),
    length: text.length,
    hash: createHash('sha256').update(text).digest('hex'),
  };
}

/** The end of a text: what a command says last tells how it went. */
export function ending(text: string, most: number): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= most ? trimmed : `…${wellFormed(trimmed.slice(-most))}`;
}

/** The beginning of a text on one line. */
export function headline(text: string, most: number): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length <= most ? flat : `${wellFormed(flat.slice(0, most - 1))}…`;
}

/** A cut may have gone through a character of two halves. */
function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}
