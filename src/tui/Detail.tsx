import { Box } from 'ink';
import type { ReactNode } from 'react';
import { forLonger } from '../approvals/approval.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { type CardGroup, cardPreview } from './card-lines.ts';
import { Text } from './Text.tsx';

/** Lines that can be scrolled, as one screen. */
export function Detail({
  lines,
  top,
  height,
}: {
  lines: readonly string[];
  top: number;
  height: number;
}): ReactNode {
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      {lines.slice(top, top + height).map((line, at) => (
        <Text key={top + at} wrap="truncate" bold={/^[A-Z][a-z ]+$/.test(line)}>
          {line || ' '}
        </Text>
      ))}
    </Box>
  );
}

/** Everything about an event: who said what, the answer to the agent, and what it had sent. */
export function eventDetail(event: StoredEvent): readonly string[] {
  return [
    `${event.type} from ${event.source}, session ${event.sessionId}, number ${event.sequence}`,
    `${new Date(event.timestamp).toISOString()}  ${event.cwd ?? ''}  ${event.latencyMs.toFixed(1)} ms`,
    '',
    'Decision',
    `  ${event.response.decision}  ${event.response.reason ?? ''}`,
    ...event.opinions.map(
      ({ kind, by, where, response }) => `  ${kind} ${by}: ${response.decision}  ${where ?? ''}`,
    ),
    ...event.degraded.map(({ effect, reason }) => `  not delivered: ${effect}. ${reason}`),
    '',
    'Answer',
    ...json(event.answer),
    '',
    'Payload',
    ...json(event.native),
  ];
}

export function cardDetail({ first }: CardGroup): readonly string[] {
  return [
    `${first.source} ${first.tool?.name ?? first.kind}, session ${first.sessionId}`,
    `${first.cwd ?? ''}`,
    '',
    ...cardPreview(first),
    '',
    ...(first.reason ? ['Why', `  ${first.reason}`] : []),
    ...(first.tool === null ? [] : [forLonger(first.covers)]),
    ...(first.rules.length > 0 ? ['Rules', ...first.rules.map((rule) => `  ${rule}`)] : []),
    'Arguments',
    ...json(first.tool?.input ?? {}),
  ];
}

function json(value: unknown): string[] {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => `  ${line}`);
}
