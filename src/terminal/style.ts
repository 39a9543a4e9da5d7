import { visible } from './visible.ts';

const ESCAPE = '\x1b';

/**
 * Stands for the escape character in our own sequences until they are written. It is secret, so that no foreign text can
 * contain it: what was recorded yesterday cannot bring a color, let alone anything worse.
 */
let mark: string | null = null;

/** Made when something gets a style: what makes it takes longer to load than a short command takes. */
function ours(): string {
  mark ??= `${ESCAPE}${process.getBuiltinModule('node:crypto').randomBytes(9).toString('base64url')}`;
  return mark;
}

/** Text in a style, for `forTerminal`. */
export function styled(open: number, text: string, close: number): string {
  return `${ours()}[${open}m${text}${ours()}[${close}m`;
}

/** What may be written to a terminal: our own styles, and of everything else only what can be seen. */
export function forTerminal(text: string): string {
  return mark === null ? visible(text) : text.split(mark).map(visible).join(ESCAPE);
}

/** How many characters of a text are to be seen: those of our styles are not. */
export function shownLength(text: string): number {
  const [first = '', ...rest] = mark === null ? [text] : text.split(mark);
  return rest.reduce((sum, part) => sum + part.replace(/^\[\d+m/, '').length, first.length);
}
