import { Box } from 'ink';
import type { ReactNode } from 'react';
import { type CardGroup, cardPreview } from './card-lines.ts';
import { Text } from './Text.tsx';

interface CardsProps {
  readonly groups: readonly CardGroup[];
  readonly selected: number;
  readonly focused: boolean;
  /** Lines there are for all of it. */
  readonly height: number;
  /** Chosen answers of the selected card, by question. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  readonly now: number;
}

/** What waits for a person, the selected one with its preview. */
export function Cards({ groups, selected, focused, height, chosen, now }: CardsProps): ReactNode {
  if (groups.length === 0) return <Text dimColor>Nothing waits for you.</Text>;
  const preview = Math.max(1, height - groups.length);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      {groups.map((group, at) => (
        <Box key={group.first.id} flexDirection="column" flexShrink={0}>
          <Card group={group} isSelected={at === selected} focused={focused} now={now} />
          {at === selected && <Preview group={group} lines={preview} chosen={chosen} />}
        </Box>
      ))}
    </Box>
  );
}

function Card({
  group,
  isSelected,
  focused,
  now,
}: {
  group: CardGroup;
  isSelected: boolean;
  focused: boolean;
  now: number;
}): ReactNode {
  const { first, ids } = group;
  const left = Math.max(0, Math.round((first.expiresAt - now) / 1000));
  return (
    <Text wrap="truncate" inverse={isSelected && focused} bold={isSelected}>
      {isSelected ? '▸' : ' '} <Text color="yellow">{first.source.padEnd(7)}</Text>{' '}
      {first.tool?.name ?? first.kind}
      {ids.length > 1 ? ` ×${ids.length}` : ''} <Text>{first.place}</Text>{' '}
      <Text dimColor>
        {left} s {first.rules.join(', ')}
      </Text>
    </Text>
  );
}

function Preview({
  group,
  lines,
  chosen,
}: {
  group: CardGroup;
  lines: number;
  chosen: CardsProps['chosen'];
}): ReactNode {
  const all = cardPreview(group.first);
  const picked = Object.values(chosen).flat();
  const shown = all.slice(0, all.length > lines ? lines - 1 : lines);
  return (
    <>
      {shown.map((line, at) => (
        <Text key={at} wrap="truncate" {...lineStyle(line, picked)}>
          {'    '}
          {line}
        </Text>
      ))}
      {all.length > shown.length && (
        <Text dimColor>{`    … ${all.length - shown.length} more lines (enter)`}</Text>
      )}
    </>
  );
}

/** Colour means state: what goes, what comes, what was chosen. */
function lineStyle(line: string, picked: readonly string[]): { color?: string; bold?: boolean } {
  if (line.startsWith('- ')) return { color: 'red' };
  if (line.startsWith('+ ')) return { color: 'green' };
  return picked.some((label) => line.includes(` ${label}`) && /^\s+\d /.test(line))
    ? { color: 'green', bold: true }
    : {};
}
