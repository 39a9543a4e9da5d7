import { eventBase } from '../../model/event-base.ts';
import type { EventBase } from '../../model/events.ts';

/** The fields of all events, of one that never happened: rules are tried on it. */
export function exampleBase(given: Partial<EventBase>): EventBase {
  const example = { id: 'example', source: 'example', sessionId: 'example', timestamp: 0 };
  return eventBase({ ...example, sequence: 1, promptNumber: 1, toolNumber: 1, ...given });
}
