import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { Outcome } from '../history/outcome.ts';
import type { Row } from '../history/row.ts';
import { rowCells } from '../history/row-cells.ts';
import { Text } from './Text.tsx';

interface FeedProps {
  readonly rows: readonly Row[];
  /** Null follows the newest. */
  readonly selected: string | null;
  readonly focused: boolean;
  readonly height: number;
  readonly width: number;
}

/** One row a call, newest at the bottom, as far as they fit around the selected one. */
export function Feed({ rows, selected, focused, height, width }: FeedProps): ReactNode {
  if (rows.length === 0) {
    return <Text dimColor>No calls yet. Use an agent that has Hookline set up, and they appear here.</Text>;
  }
  const at = selected === null ? rows.length - 1 : rows.findIndex(({ key }) => key === selected);
  const end = Math.min(rows.length, Math.max(at + 1, height));
  const from = Math.max(0, Math.max(end, at + 1) - height);
  const until = selected === null ? rows.length : Math.min(rows.length, from + height);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      {rows.slice(Math.max(0, until - height), until).map((row) => (
        <Line key={row.key} row={row} isSelected={focused && row.key === selected} width={width} />
      ))}
    </Box>
  );
}

const COLOURS: Readonly<Partial<Record<Outcome, string>>> = {
  running: 'blue',
  waiting: 'yellow',
  allowed: 'green',
  denied: 'red',
  failed: 'red',
};

function Line({ row, isSelected, width }: { row: Row; isSelected: boolean; width: number }): ReactNode {
  const { time, who, text, words, took } = rowCells(row, { width, id: false });
  const colour = row.outcome === null ? undefined : COLOURS[row.outcome];
  return (
    <Text wrap="truncate" inverse={isSelected}>
      <Text dimColor>{time}</Text>
      <Text>{who}</Text>
      <Text>{text}</Text>
      <Text {...(colour ? { color: colour } : { dimColor: true })}>{words}</Text>
      <Text dimColor>{took}</Text>
    </Text>
  );
}
