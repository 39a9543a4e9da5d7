import * as v from 'valibot';
import { EVENT_TYPES, type HookEvent } from '../model/events.ts';
import { eventSubject } from '../model/subject.ts';
import type { StoredEvent } from './stored-event.ts';

const tool = v.looseObject({
  name: v.string(),
  kind: v.string(),
  useId: v.nullable(v.string()),
  command: v.nullable(v.string()),
  input: v.record(v.string(), v.unknown()),
  files: v.array(v.looseObject({ op: v.string(), path: v.string() })),
});
const event = v.looseObject({
  type: v.picklist(EVENT_TYPES),
  source: v.string(),
  sessionId: v.string(),
  timestamp: v.number(),
  cwd: v.nullable(v.string()),
  transcriptPath: v.nullable(v.string()),
  agentId: v.nullable(v.string()),
  promptNumber: v.number(),
  toolNumber: v.number(),
  tool: v.optional(tool),
});

/** Our own format. Redaction may have changed what fields say, but not which there are. */
function isHookEvent(value: unknown): value is HookEvent {
  return v.is(event, value);
}

/** The event that was stored, without its payload; null when it cannot be read back. */
export function canonicalEvent(stored: unknown): HookEvent | null {
  return isHookEvent(stored) ? stored : null;
}

/** What a stored event is about. */
export function storedSubject({ event: stored }: Pick<StoredEvent, 'event'>): string {
  const read = canonicalEvent(stored);
  return read ? eventSubject(read) : '';
}
