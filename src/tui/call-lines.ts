import { toBrief } from '../history/calls/event-brief.ts';
import type { Row } from '../history/calls/row.ts';
import { reasonForPerson } from '../model/responses.ts';
import { minuteOf, timeTaken } from '../model/text.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { labelOf } from './labels.ts';
import { EMPTY, type Line, line, wrapped } from './line.ts';

/** The details of a call: all decisions, the answer to the agent, and its payload. */
export function callLines(row: Row, event: StoredEvent, width: number): readonly Line[] {
  const { costMs, waitedMs } = toBrief(event);
  const { durationMs } = row;
  return [
    ...wrapped(`${row.name} ${row.subject}`, width, 'bold'),
    line(`${row.words}  ${labelOf(event.source)}, ${row.place || 'no project'}, ${minuteOf(row.at)}`),
    EMPTY,
    line('Decision', 'bold'),
    ...indented(`${event.response.decision}  ${reasonForPerson(event.response) ?? ''}`, width),
    ...event.opinions.flatMap(({ kind, by, where, response }) =>
      indented(`${kind} ${by}: ${response.decision}  ${where ?? ''}`, width),
    ),
    // A limit of the agent is not an error: it has no color.
    ...event.degraded.flatMap(({ effect, reason }) => indented(limitWords(event, effect, reason), width)),
    EMPTY,
    line('Times', 'bold'),
    ...(durationMs === null ? [] : [line(`  the tool ran for ${timeTaken(durationMs)}`)]),
    ...(waitedMs > 0 ? [line(`  pending for ${timeTaken(waitedMs)}`)] : []),
    line(`  hook latency ${timeTaken(costMs)}`),
    EMPTY,
    line('Answer', 'bold'),
    ...json(event.answer),
    EMPTY,
    line('Payload', 'bold'),
    ...json(event.native),
    EMPTY,
    line(`  ${event.type}, ${event.id}, session ${event.sessionId}, number ${event.sequence}`, 'quiet'),
  ];
}

/** An allowed call runs either way; at most its agent asks again. */
function limitWords(event: StoredEvent, effect: string, reason: string): string {
  return effect === 'allow' && event.response.decision === 'allow'
    ? `Known limit: ${labelOf(event.source)} may still ask at its own prompt. ${reason}`
    : `Known limit: ${effect} degraded. ${reason}`;
}

function indented(text: string, width: number): readonly Line[] {
  return wrapped(text, width - 4).map((one) => [...line('  '), ...one]);
}

function json(value: unknown): readonly Line[] {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((one) => line(`  ${one}`));
}
