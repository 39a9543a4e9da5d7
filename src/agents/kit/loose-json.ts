import { isObject, parseJson } from '../../model/json.ts';

/** For JSON that has no schema that anyone promised, such as transcripts: what is not there is null. */
export type Json = Readonly<Record<string, unknown>>;

export function objectAt(value: unknown, key: string): Json | null {
  const found = isObject(value) ? value[key] : null;
  return isObject(found) ? found : null;
}

export function textAt(value: unknown, key: string): string | null {
  const found = isObject(value) ? value[key] : null;
  return typeof found === 'string' ? found : null;
}

export function numberAt(value: unknown, key: string): number {
  const found = isObject(value) ? value[key] : null;
  return typeof found === 'number' && Number.isFinite(found) ? found : 0;
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isObject(value) ? value[key] : null;
  return Array.isArray(found) ? found : [];
}

/** A time in ISO 8601, in ms since the epoch. */
export function timeAt(value: unknown, key: string): number | null {
  const ms = Date.parse(textAt(value, key) ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** JSON inside of a string, as some transcripts have arguments. */
export function parsed(text: string | null): Json {
  const value = parseJson(text ?? '');
  return isObject(value) ? value : {};
}
