/** An object of any shape, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a text says in JSON; undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every text in what a text says in JSON, in its order, without the names of fields. None for a text that is not JSON. */
export function* textsInJson(json: string): Generator<string> {
  const open: unknown[] = [parseJson(json)];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null)
      for (const value of Object.values(next).reverse()) open.push(value);
  }
}
