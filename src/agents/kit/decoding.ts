import * as v from 'valibot';
import { DecodeError, type PartlyDecoded } from '../../model/errors.ts';
import type { EventBase, EventOf, EventType } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';

/** The fields that an event has besides those of all events. */
export type OwnFields = { [T in EventType]: Omit<EventOf<T>, keyof EventBase> }[EventType];

/** Parses what a client sent. `sent` begins the error message: who sent what. Throws DecodeError. */
export function readWire<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  sent: string,
  known?: PartlyDecoded,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  // Never the received value: it may be a secret, and this text is logged.
  throw new DecodeError(
    `${sent} with ${v.getDotPath(issue) ?? 'something'} that is not ${issue.expected ?? 'of the expected shape'}`,
    known ? { known } : {},
  );
}

/** An object of any shape. Kept by reference: a copy would lose keys that are named like parts of a prototype. */
export const anyObject = v.custom<Record<string, unknown>>(isObject, 'Expected an object');

export const text = v.nullish(v.string());

/** A required text that must not be empty. */
export const requiredText = v.pipe(v.string(), v.minLength(1));

/** A descriptive text that some wrappers leave out. */
export const textOrEmpty = v.nullish(v.string(), '');

/** A word from an open set that no decision depends on. */
export const named = v.nullish(v.string(), 'unknown');

export const flag = v.nullish(v.boolean());

/** The native fields that no event type has a place for, by our own names; absent ones are left out. */
export function extraFields(
  payload: Readonly<Record<string, unknown>>,
  names: readonly (readonly [native: string, ours: string])[],
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [native, ours] of names) {
    const value = payload[native];
    if (value !== undefined && value !== null) fields[ours] = value;
  }
  return fields;
}
