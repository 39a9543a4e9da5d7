/** For transcripts, which have no schema that anybody promised: what is not there is null. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectAt(value: unknown, key: string): Json | null {
  const found = isJson(value) ? value[key] : null;
  return isJson(found) ? found : null;
}

export function textAt(value: unknown, key: string): string | null {
  const found = isJson(value) ? value[key] : null;
  return typeof found === 'string' ? found : null;
}

export function numberAt(value: unknown, key: string): number {
  const found = isJson(value) ? value[key] : null;
  return typeof found === 'number' && Number.isFinite(found) ? found : 0;
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isJson(value) ? value[key] : null;
  return Array.isArray(found) ? found : [];
}

/** A time in ISO 8601, in ms since the epoch. */
export function timeAt(value: unknown, key: string): number | null {
  const ms = Date.parse(textAt(value, key) ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** JSON inside of a string, as some transcripts have arguments. */
export function parsed(text: string | null): Json {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isJson(value) ? value : {};
  } catch {
    return {};
  }
}
