import { EVENT_TYPES, type HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import { eventSubject } from '../../model/subject.ts';
import type { StoredEvent } from './stored-event.ts';

/**
 * Checks our own format. Redaction may have changed the values of fields, but not which fields exist. Written by
 * hand, because every event is read back once and a schema would copy it.
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

/** The stored event without its payload; null if it can't be read back. */
export function canonicalEvent(stored: unknown): HookEvent | null {
  return isHookEvent(stored) ? stored : null;
}

/** The subject of a stored event. */
export function storedSubject({ event: stored }: Pick<StoredEvent, 'event'>): string {
  const read = canonicalEvent(stored);
  return read ? eventSubject(read) : '';
}
