import { EVENT_TYPES, type HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import { eventSubject } from '../../model/subject.ts';
import type { StoredEvent } from './stored-event.ts';

/**
 * Our own format. Redaction may have changed what fields say, but not which there are. By hand, because every event is
 * read back once, and a schema makes a copy of what it looks at.
 */
function isHookEvent(value: unknown): value is HookEvent {
  return (
    isObject(value) &&
    isOneOf(EVENT_TYPES, value.type) &&
    areTexts(value.source, value.sessionId) &&
    areTextsOrNull(value.cwd, value.transcriptPath, value.agentId) &&
    areNumbers(value.timestamp, value.promptNumber, value.toolNumber) &&
    (value.tool === undefined || isTool(value.tool))
  );
}

function isTool(value: unknown): boolean {
  return (
    isObject(value) &&
    areTexts(value.name, value.kind) &&
    areTextsOrNull(value.useId, value.command) &&
    isObject(value.input) &&
    Array.isArray(value.files) &&
    value.files.every((file) => isObject(file) && areTexts(file.op, file.path))
  );
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isOneOf = (list: readonly unknown[], value: unknown): boolean => list.includes(value);
const areTexts = (...values: readonly unknown[]): boolean => values.every(isText);
const areTextsOrNull = (...values: readonly unknown[]): boolean =>
  values.every((value) => value === null || isText(value));
const areNumbers = (...values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'number');

/** The event that was stored, without its payload; null when it cannot be read back. */
export function canonicalEvent(stored: unknown): HookEvent | null {
  return isHookEvent(stored) ? stored : null;
}

/** What a stored event is about. */
export function storedSubject({ event: stored }: Pick<StoredEvent, 'event'>): string {
  const read = canonicalEvent(stored);
  return read ? eventSubject(read) : '';
}
