/** An object of any shape, but not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All strings in a JSON text, in order, without field names. Empty for any other text. */
export function* textsInJson(json: string): Generator<string> {
  const open: unknown[] = [parseJson(json)];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') yield next;
    else if (typeof next === 'object' && next !== null)
      for (const value of Object.values(next).reverse()) open.push(value);
  }
}
