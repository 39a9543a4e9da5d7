import { visible } from './visible.ts';

const ESCAPE = '\x1b';

/**
 * Stands for the escape character in our own sequences until they are written. It is secret, so foreign text can't
 * contain it and can't set even a color.
 */
let mark: string | null = null;

/** Created with the first style, because loading what it needs takes longer than a short command runs. */
function ours(): string {
  mark ??= `${ESCAPE}${process.getBuiltinModule('node:crypto').randomBytes(9).toString('base64url')}`;
  return mark;
}

/** Text in a style, for `forTerminal`. */
export function styled(open: number, text: string, close: number): string {
  return `${ours()}[${open}m${text}${ours()}[${close}m`;
}

/** Text that is safe for a terminal: our own styles, and visible characters of everything else. */
export function forTerminal(text: string): string {
  return mark === null ? visible(text) : text.split(mark).map(visible).join(ESCAPE);
}

/** Number of visible characters, without our styles. */
export function shownLength(text: string): number {
  const [first = '', ...rest] = mark === null ? [text] : text.split(mark);
  return rest.reduce((sum, part) => sum + part.replace(/^\[\d+m/, '').length, first.length);
}
