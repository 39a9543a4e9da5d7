import type { Client } from '../sandbox/client.ts';
import type { Payload } from '../sandbox/contract.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { compareWith, type Difference } from './compare.ts';
import type { Row } from './report.ts';

/** What a client sent, compared with what was measured: a row for each of its events. */
export function payloadRows(
  client: Pick<Client, 'turnEvents' | 'contract'>,
  events: readonly StoredEvent[],
): readonly Row[] {
  const differences = compareWith(client.contract, events.filter(isReadable).map(payloadOfStored));
  const rows = [...differences].map(([event, found]) => rowOf(event, found));
  return [...missingEvents(client, events), ...unreadable(events), ...rows];
}

function rowOf(event: string, differences: readonly Difference[]): Row {
  const expected = 'the fields that were measured';
  if (differences.length === 0)
    return { kind: 'payload', name: event, state: 'holds', expected, seen: expected };
  const seen = differences.map(described).join('; ');
  return { kind: 'payload', name: event, state: 'changed', expected, seen };
}

/** `new field effort (string)`. */
function described({ kind, path, expected, seen }: Difference): string {
  if (kind === 'new event') return 'an event that Hookline does not know';
  if (kind === 'new field') return `new field ${path} (${seen})`;
  if (kind === 'missing field') return `no ${path} (${expected})`;
  return `${path} is ${seen}, not ${expected}`;
}

/** Types of events that every turn with a shell command has. */
function missingEvents(
  { turnEvents }: Pick<Client, 'turnEvents'>,
  events: readonly StoredEvent[],
): readonly Row[] {
  const came = new Set(events.map(({ type }) => type));
  return [...new Set(turnEvents)]
    .filter((type) => !came.has(type))
    .map((type) => ({
      kind: 'payload',
      name: type,
      state: 'broken',
      expected: `an event of the type ${type} in every turn`,
      seen: 'none came',
    }));
}

/** Payloads that could not be decoded: no rule sees what they are about. */
function unreadable(events: readonly StoredEvent[]): readonly Row[] {
  const broken = new Map<string, Row>();
  for (const event of events.filter((one) => !isReadable(one))) {
    const expected = 'a payload that Hookline can read';
    const seen = String(event.event.problem);
    broken.set(event.nativeEvent, {
      kind: 'payload',
      name: event.nativeEvent,
      state: 'broken',
      expected,
      seen,
    });
  }
  return [...broken.values()];
}

function isReadable({ event }: StoredEvent): boolean {
  return typeof event.problem !== 'string';
}

function payloadOfStored({ nativeEvent, event, tool, native }: StoredEvent): Payload {
  const nativeTool = Object(event.tool).nativeName;
  return {
    nativeEvent,
    tool: typeof nativeTool === 'string' ? nativeTool : null,
    input: tool?.input,
    native,
  };
}
