import { folded, textWidth } from '../../terminal/fold.ts';
import { shownLength } from '../../terminal/style.ts';
import { paint } from './paint.ts';

/** If less width remains for the second cell, it goes on its own line. */
const LEAST_ROOM = 24;

/** Rows of two cells, with the second aligned. */
export function columns(
  rows: readonly (readonly (string | undefined)[])[],
  width: number = Math.max(...rows.map(([first = '']) => first.length)),
): string[] {
  const room = textWidth() - width - 4;
  const below = room < LEAST_ROOM && rows.some(([, second = '']) => shownLength(second) > room);
  return rows.map(([first = '', second = '']) =>
    below
      ? `  ${first}\n${paint.dim(folded(`        ${second}`, 8))}`
      : folded(`  ${first.padEnd(width)}  ${paint.dim(second)}`, width + 4),
  );
}
