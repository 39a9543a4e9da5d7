/** Ids begin with the time; what tells them apart comes after it. */
const OURS = /^\d{13}-([0-9a-f]{6})[0-9a-f]*$/;

/** Enough of an id to type, and to find the event by. */
export function shortEventId(id: string): string {
  return OURS.exec(id)?.[1] ?? id;
}

export function isShortId(text: string): boolean {
  return /^[0-9a-f]{4,}$/.test(text);
}

/** What `GLOB` finds the ids by that have this short one. */
export function shortIdPattern(short: string): string {
  return `${'[0-9]'.repeat(13)}-${short}*`;
}

const SHORTEST = 8;
/** Of an id that begins with the time, this much of its end is as good as random. */
const SHORTEST_END = 6;

/**
 * As little of each id as tells it from the others: its beginning, or its end where all of them begin with the time.
 * Sessions are found by either.
 */
export function distinctIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const all = [...new Set(ids)];
  const isClear = (part: (id: string) => string) => new Set(all.map(part)).size === all.length;
  const begin = (id: string) => id.slice(0, SHORTEST);
  if (isClear(begin)) return new Map(all.map((id) => [id, begin(id)]));
  const longest = Math.max(...all.map((id) => id.length));
  let length = SHORTEST_END;
  while (length < longest && !isClear((id) => id.slice(-length))) length += 1;
  return new Map(all.map((id) => [id, id.slice(-length)]));
}

/** Whether a text is enough of the end of an id to mean it. */
export function isEndOf(id: string, text: string): boolean {
  return text.length >= SHORTEST_END && id.endsWith(text);
}
