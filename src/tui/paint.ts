import { forTerminal, styled } from '../terminal/style.ts';
import type { Line, Look, Span } from './line.ts';

/** Color is state: amber needs approval, red was denied or failed, green was allowed, blue is running. */
const CODES: Readonly<Record<Look, readonly [open: number, close: number]>> = {
  bold: [1, 22],
  quiet: [2, 22],
  waiting: [33, 39],
  denied: [31, 39],
  allowed: [32, 39],
  running: [34, 39],
  met: [4, 24],
  selected: [7, 27],
};

/** A row as written to the terminal. Without colors every state still has its own sign or word. */
export function painted(spans: Line, isColoured: boolean): string {
  return forTerminal(spans.map((one) => (isColoured ? paintedSpan(one) : one.text)).join(''));
}

function paintedSpan({ text, looks }: Span): string {
  return looks.reduce((inner, look) => styled(CODES[look][0], inner, CODES[look][1]), text);
}
