/** IDs begin with the time; the distinguishing part follows. */
const OURS = /^\d{13}-([0-9a-f]{6})[0-9a-f]*$/;

/** Enough of an ID to type and to find the event. */
export function shortEventId(id: string): string {
  return OURS.exec(id)?.[1] ?? id;
}

export function isShortId(text: string): boolean {
  return /^[0-9a-f]{4,}$/.test(text);
}

/** `GLOB` pattern for the IDs with this short form. */
export function shortIdPattern(short: string): string {
  return `${'[0-9]'.repeat(13)}-${short}*`;
}

const SHORTEST = 8;
/** For an ID that begins with the time, an end of this length is practically random. */
const SHORTEST_END = 6;

/**
 * The shortest distinct part of each ID: its beginning, or its end if all IDs begin with the time. Sessions are found
 * by either.
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

/** True if a text is a long enough end of an ID to identify it. */
export function isEndOf(id: string, text: string): boolean {
  return text.length >= SHORTEST_END && id.endsWith(text);
}
