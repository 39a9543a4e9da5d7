import { isStory, rowOf } from '../../history/calls/row.ts';
import type { Turn } from '../../history/calls/turns.ts';
import { oneLine } from '../../model/text.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { paint } from './paint.ts';
import { rowLine } from './row-line.ts';

/** A turn as `hookline show` prints it: the prompt, and one row per call. `all` includes protocol events. */
export function turnLines({ prompt, items }: Turn, all: boolean, width: number): string[] {
  return [
    '',
    ...(prompt === null ? [] : [terminalLine(paint.bold(oneLine(prompt, width)))]),
    ...items
      .filter((item) => all || isStory(item))
      .map((item) => rowLine(rowOf(item), width, { who: false })),
  ];
}
