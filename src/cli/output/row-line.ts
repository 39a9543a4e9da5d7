import type { Outcome } from '../../history/calls/outcome.ts';
import type { Row } from '../../history/calls/row.ts';
import { rowCells } from '../../history/calls/row-cells.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { paint } from './paint.ts';

const same = (text: string): string => text;

/** Colors only mean states. */
const PAINTS: Readonly<Record<Outcome, (text: string) => string>> = {
  running: paint.cyan,
  waiting: paint.yellow,
  done: paint.dim,
  allowed: paint.green,
  denied: paint.red,
  failed: paint.red,
  unknown: paint.dim,
};

export function paintedOutcome(outcome: Outcome | null, words: string): string {
  return (outcome === null ? same : PAINTS[outcome])(words);
}

/** Used if no terminal reports its width. */
const UNKNOWN_WIDTH = 100;

export function lineWidth(): number {
  return process.stdout.columns || UNKNOWN_WIDTH;
}

/** A call or another event, on one line. */
export function rowLine(row: Row, width: number = lineWidth(), columns: { who?: boolean } = {}): string {
  const { time, who, text, words, took, id } = rowCells(row, { width, ...columns });
  const line = [
    paint.dim(time),
    who,
    text,
    paintedOutcome(row.outcome, words),
    paint.dim(took),
    paint.dim(id),
  ];
  return terminalLine(line.join('')).trimEnd();
}
