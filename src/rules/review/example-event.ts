import { eventBase } from '../../model/event-base.ts';
import type { EventBase } from '../../model/events.ts';

/** Common fields of a made-up event on which rules are tried. */
export function exampleBase(given: Partial<EventBase>): EventBase {
  const example = { id: 'example', source: 'example', sessionId: 'example', timestamp: 0 };
  return eventBase({ ...example, sequence: 1, promptNumber: 1, toolNumber: 1, ...given });
}
