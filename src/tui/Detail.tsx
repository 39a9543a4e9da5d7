import { Box } from 'ink';
import type { ReactNode } from 'react';
import { forLonger } from '../approvals/approval.ts';
import { toBrief } from '../history/event-brief.ts';
import type { Row } from '../history/row.ts';
import { reasonForPerson } from '../model/responses.ts';
import { minuteOf, timeTaken } from '../model/text.ts';
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

/** Everything about a call: who said what, the answer to the agent, and what it had sent. */
export function eventDetail(row: Row, event: StoredEvent): readonly string[] {
  const { costMs, waitedMs } = toBrief(event);
  const { durationMs } = row;
  return [
    `${row.name} ${row.subject}`,
    `${row.words}  ${event.source}, ${row.place || 'no project'}, ${minuteOf(row.at)}`,
    '',
    'Decision',
    `  ${event.response.decision}  ${reasonForPerson(event.response) ?? ''}`,
    ...event.opinions.map(
      ({ kind, by, where, response }) => `  ${kind} ${by}: ${response.decision}  ${where ?? ''}`,
    ),
    ...event.degraded.map(({ effect, reason }) => `  not delivered: ${effect}. ${reason}`),
    '',
    'Times',
    ...(durationMs === null ? [] : [`  the tool ran for ${timeTaken(durationMs)}`]),
    ...(waitedMs > 0 ? [`  waited ${timeTaken(waitedMs)} for an answer`] : []),
    `  Hookline took ${timeTaken(costMs)}`,
    '',
    'Answer',
    ...json(event.answer),
    '',
    'Payload',
    ...json(event.native),
    '',
    `  ${event.type}, ${event.id}, session ${event.sessionId}, number ${event.sequence}`,
  ];
}

export function cardDetail({ first }: CardGroup): readonly string[] {
  return [
    `${first.source} ${first.tool?.name ?? first.kind}, session ${first.sessionId}`,
    `${first.place}  ${first.cwd ?? ''}`,
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
