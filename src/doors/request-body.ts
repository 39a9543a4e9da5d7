import { isObject, parseJson } from '../model/json.ts';

type Entries = Readonly<Record<string, unknown>>;

/** The data of a request as fields; several for a batch. */
export interface Sent {
  readonly input: Entries;
  readonly parts: readonly Entries[];
}

/** The fields of a request body: JSON, JSON lines, or `a=b&c=d`. Any other text has no field name. */
export function sentIn(body: string): Sent {
  const text = body.trim();
  if (/^[{[]/.test(text)) return sentAs(jsonIn(text));
  if (/^[\w.[\]-]+=/.test(text)) return sentAs(formIn(text));
  return text === '' ? { input: {}, parts: [] } : { input: { '': text }, parts: [] };
}

function sentAs(parsed: unknown): Sent {
  if (Array.isArray(parsed))
    return { input: { '': parsed }, parts: parsed.slice(0, MOST_PARTS).filter(isObject) };
  if (!isObject(parsed)) return { input: {}, parts: [] };
  const inside = Object.entries(parsed).flatMap(([name, one]) =>
    BATCH.test(name) && Array.isArray(one) ? one.slice(0, MOST_PARTS).filter(isObject) : [],
  );
  return { input: parsed, parts: [parsed, ...inside] };
}

const MOST_PARTS = 1000;
/** Under these stand requests of their own. */
const BATCH = /^(?:requests|operations|batch)$/i;
/** Pieces that are not known, where a value stands. */
const UNKNOWN_VALUE = /([:[,]\s*)[\ue000-\uf8ff]+(?=\s*[,}\]])/g;

function jsonIn(text: string): unknown {
  const parsed = parseJson(text) ?? parseJson(text.replace(UNKNOWN_VALUE, '$1null'));
  if (parsed !== undefined) return parsed;
  const lines = text.split('\n', MOST_PARTS).map(parseJson);
  return lines.some(isObject) ? lines.filter(isObject) : undefined;
}

/** A form has no types, and names with brackets: `repository[archived]=true`. */
function formIn(text: string): Entries {
  return Object.fromEntries(
    [...new URLSearchParams(text)].map(([name, value]) => [
      name.split(/[[\].]+/).findLast((part) => part !== '') ?? '',
      value === 'true' ? true : value === 'false' ? false : value,
    ]),
  );
}
