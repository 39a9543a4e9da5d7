import { randomBytes } from 'node:crypto';
import { visible } from './visible.ts';

const ESCAPE = '\x1b';

/**
 * Stands for the escape character in our own sequences until they are written. Nobody else knows it, so that no
 * foreign text can have it: what was recorded yesterday cannot bring a colour, let alone anything worse.
 */
const OURS = `${ESCAPE}${randomBytes(9).toString('base64url')}`;

/** Text in a style, for `forTerminal`. */
export function styled(open: number, text: string, close: number): string {
  return `${OURS}[${open}m${text}${OURS}[${close}m`;
}

/** What may be written to a terminal: our own styles, and of everything else only what can be seen. */
export function forTerminal(text: string): string {
  return text.split(OURS).map(visible).join(ESCAPE);
}

/** How many characters of a text are to be seen: those of our styles are not. */
export function shownLength(text: string): number {
  const [first = '', ...rest] = text.split(OURS);
  return rest.reduce((sum, part) => sum + part.replace(/^\[\d+m/, '').length, first.length);
}
