import * as v from 'valibot';
import { storedResponse } from '../model/response-schema.ts';
import { type Degradation, EFFECTS, EXTRA_EFFECTS } from '../model/responses.ts';
import type { PublicEvent } from '../store/read/public-event.ts';

/** A line of `hookline events --json`. */
export type RecordedEvent = PublicEvent;

const degradation: v.GenericSchema<unknown, Degradation> = v.object({
  effect: v.picklist([...EFFECTS, ...EXTRA_EFFECTS, 'native']),
  reason: v.string(),
  instead: v.exactOptional(v.literal('deny')),
});

const eventLine: v.GenericSchema<unknown, RecordedEvent> = v.object({
  id: v.string(),
  type: v.string(),
  source: v.string(),
  sessionId: v.string(),
  sequence: v.number(),
  promptNumber: v.number(),
  toolNumber: v.number(),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  receivedAt: v.pipe(v.string(), v.isoTimestamp()),
  tool: v.nullable(
    v.object({
      name: v.string(),
      useId: v.nullable(v.string()),
      input: v.record(v.string(), v.unknown()),
      outcome: v.nullable(v.string()),
    }),
  ),
  response: storedResponse,
  answeredBy: v.nullable(v.string()),
  degraded: v.array(degradation),
  rules: v.array(v.string()),
  latencyMs: v.number(),
  problem: v.nullable(v.string()),
});

/** Reads such a line, strictly: what scripts rely on is there. */
export function readEventLine(line: string): RecordedEvent {
  return v.parse(eventLine, JSON.parse(line));
}
