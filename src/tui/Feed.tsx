import { Box } from 'ink';
import type { ReactNode } from 'react';
import { clockTime, oneLine } from '../model/text.ts';
import { storedSubject } from '../store/canonical-event.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { Text } from './Text.tsx';

interface FeedProps {
  readonly events: readonly StoredEvent[];
  readonly selected: string | null;
  readonly focused: boolean;
  readonly height: number;
}

/** The events, newest at the bottom, as far as they fit around the selected one. */
export function Feed({ events, selected, focused, height }: FeedProps): ReactNode {
  if (events.length === 0) {
    return <Text dimColor>No events yet. Use an agent that has Hookline set up, and they appear here.</Text>;
  }
  const at = selected === null ? events.length - 1 : events.findIndex(({ id }) => id === selected);
  const end = Math.min(events.length, Math.max(at + 1, height));
  const from = Math.max(0, Math.max(end, at + 1) - height);
  const until = selected === null ? events.length : Math.min(events.length, from + height);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      {events.slice(Math.max(0, until - height), until).map((event) => (
        <Row key={event.id} event={event} isSelected={focused && event.id === selected} />
      ))}
    </Box>
  );
}

/** More than the widest terminal shows of a line. */
const LONGEST = 300;

const COLOURS: Readonly<Record<string, string>> = { deny: 'red', ask: 'yellow', allow: 'green' };

function Row({ event, isSelected }: { event: StoredEvent; isSelected: boolean }): ReactNode {
  const { decision } = event.response;
  const colour = COLOURS[decision];
  const mark = decision === 'none' ? '·' : decision;
  return (
    <Text wrap="truncate" inverse={isSelected}>
      <Text dimColor>{clockTime(event.timestamp)}</Text> {event.source.padEnd(7)}{' '}
      <Text dimColor>{event.sessionId.slice(0, 4).padEnd(4)}</Text> {event.type.padEnd(13)}{' '}
      <Text {...(colour ? { color: colour } : { dimColor: true })}>{mark.padEnd(5)}</Text>
      {event.degraded.length > 0 ? <Text color="yellow">!</Text> : ' '} {eventText(event)}
    </Text>
  );
}

/** What an event is about, on one line. */
export function eventText(event: StoredEvent): string {
  return [event.tool?.name, oneLine(storedSubject(event), LONGEST)].filter(Boolean).join(' ');
}
