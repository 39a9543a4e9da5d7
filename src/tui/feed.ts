import type { Outcome } from '../history/calls/outcome.ts';
import type { Row } from '../history/calls/row.ts';
import { rowCells } from '../history/calls/row-cells.ts';
import { fitted, type Line, type Look, line, span } from './line.ts';

interface FeedOptions {
  readonly rows: readonly Row[];
  /** Null follows the newest. */
  readonly selected: string | null;
  readonly focused: boolean;
  readonly height: number;
  readonly width: number;
}

/** One row per call, newest at the bottom, as many as fit around the selected one. */
export function feedRows({ rows, selected, focused, height, width }: FeedOptions): readonly Line[] {
  if (height < 1) return [];
  if (rows.length === 0)
    return [line(' No calls yet. Calls of agents that are set up appear here.', 'quiet')];
  const at = rows.findIndex(({ key }) => key === selected);
  const end = at < 0 ? rows.length : Math.min(rows.length, Math.max(at + 1, height));
  return rows
    .slice(Math.max(0, end - height), end)
    .map((row) => feedRow(row, focused && row.key === selected, width));
}

const LOOKS: Readonly<Partial<Record<Outcome, Look>>> = {
  running: 'running',
  waiting: 'waiting',
  allowed: 'allowed',
  denied: 'denied',
  failed: 'denied',
};

function feedRow(row: Row, isSelected: boolean, width: number): Line {
  const { time, who, text, words, took } = rowCells(row, { width: width - 1, id: false });
  const look: Look = (row.outcome === null ? undefined : LOOKS[row.outcome]) ?? 'quiet';
  const edge = isSelected ? span('▌', 'running', 'bold') : span(' ');
  const looks: readonly Look[] = isSelected ? ['bold'] : [];
  return fitted(
    [edge, span(time, 'quiet'), span(who), span(text, ...looks), span(words, look), span(took, 'quiet')],
    width,
  );
}
