import { cellsOf, cutCells, firstCells } from '../terminal/cells.ts';
import { visibleLine } from '../terminal/visible.ts';

/** The meaning of a piece of text; `paint.ts` decides how it looks. */
export type Look =
  | 'bold'
  | 'quiet'
  | 'waiting'
  | 'denied'
  | 'allowed'
  | 'running'
  /** The words that a rule matched. */
  | 'met'
  | 'selected';

export interface Span {
  readonly text: string;
  readonly looks: readonly Look[];
}

/** One row of the screen. */
export type Line = readonly Span[];

/** The only way to make a piece of the screen: control characters become visible and do nothing. */
export function span(text: string, ...looks: readonly Look[]): Span {
  return { text: visibleLine(text), looks };
}

export const EMPTY: Line = [];

export function line(text: string, ...looks: readonly Look[]): Line {
  return [span(text, ...looks)];
}

export function widthOf(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + cellsOf(text), 0);
}

/** Cuts or pads to exactly this width. */
export function fitted(spans: Line, width: number): Line {
  const fill = width - widthOf(spans);
  if (fill >= 0) return fill === 0 ? spans : [...spans, span(' '.repeat(fill))];
  const kept: Span[] = [];
  let room = width;
  for (const one of spans) {
    const cells = cellsOf(one.text);
    // The rest doesn't fit, so this one ends with the ellipsis.
    const isLast = cells >= room;
    kept.push({ ...one, text: isLast ? cutCells(`${one.text}…`, room) : one.text });
    room -= cells;
    if (isLast) break;
  }
  return fitted(kept, width);
}

/** One part at the left end and one at the right; the left one is cut if both don't fit. */
export function between(left: Line, right: Line, width: number): Line {
  const end = widthOf(right);
  return end >= width ? fitted(right, width) : [...fitted(left, width - end), ...right];
}

/** Wraps text between words; a word longer than a line is broken, too. */
export function wrapped(text: string, width: number, ...looks: readonly Look[]): readonly Line[] {
  const lines: string[] = [];
  let current = '';
  for (const word of visibleLine(text).split(/\s+/).filter(Boolean)) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (cellsOf(longer) <= width) current = longer;
    else {
      if (current !== '') lines.push(current);
      const pieces = pieced(word, width);
      lines.push(...pieces.slice(0, -1));
      current = pieces.at(-1) ?? '';
    }
  }
  if (current !== '') lines.push(current);
  return lines.map((one) => line(one, ...looks));
}

function pieced(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  for (let rest = word; rest !== ''; ) {
    const piece = firstCells(rest, Math.max(2, width)) || rest;
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

/** Wraps code at the end of the line, because every character counts. */
export function broken(spans: Line, width: number, indent = ''): readonly Line[] {
  const lines: Span[][] = [[]];
  let room = width;
  for (const { text, looks } of spans) {
    for (let rest = text; rest !== ''; ) {
      const piece = firstCells(rest, room);
      if (piece !== '') lines.at(-1)?.push({ text: piece, looks });
      rest = rest.slice(piece.length);
      room -= cellsOf(piece);
      if (rest === '') break;
      lines.push(indent === '' ? [] : [span(indent)]);
      room = Math.max(2, width - indent.length);
    }
  }
  return lines;
}
