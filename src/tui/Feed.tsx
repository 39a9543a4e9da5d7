import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { StoredEvent } from '../store/stored-event.ts';

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

const COLOURS: Readonly<Record<string, string>> = { deny: 'red', ask: 'yellow', allow: 'green' };

function Row({ event, isSelected }: { event: StoredEvent; isSelected: boolean }): ReactNode {
  const { decision } = event.response;
  const colour = COLOURS[decision];
  const mark = decision === 'none' ? '·' : decision;
  return (
    <Text wrap="truncate" inverse={isSelected}>
      <Text dimColor>{new Date(event.timestamp).toTimeString().slice(0, 8)}</Text> {event.source.padEnd(7)}{' '}
      <Text dimColor>{event.sessionId.slice(0, 4).padEnd(4)}</Text> {event.type.padEnd(13)}{' '}
      <Text {...(colour ? { color: colour } : { dimColor: true })}>{mark.padEnd(5)}</Text>
      {event.degraded.length > 0 ? <Text color="yellow">!</Text> : ' '} {subjectOf(event)}
    </Text>
  );
}

/** What an event is about, on one line. */
export function subjectOf({ tool, event }: StoredEvent): string {
  if (tool) {
    const { command, file_path: file, path, url } = tool.input;
    const what =
      [command, file, path, url].find((value) => typeof value === 'string') ?? JSON.stringify(tool.input);
    return `${tool.name} ${String(what).replaceAll(/\s+/g, ' ')}`;
  }
  const text =
    event.prompt ?? event.message ?? event.lastAssistantMessage ?? event.reason ?? event.trigger ?? '';
  return String(text).replaceAll(/\s+/g, ' ');
}
