/** Ids begin with the time; what tells them apart comes after it. */
const OURS = /^\d{13}-([0-9a-f]{6})[0-9a-f]*$/;

/** Enough of an id to type, and to find the event by. */
export function shortId(id: string): string {
  return OURS.exec(id)?.[1] ?? id;
}

export function isShortId(text: string): boolean {
  return /^[0-9a-f]{4,}$/.test(text);
}

/** What `GLOB` finds the ids by that have this short one. */
export function shortIdPattern(short: string): string {
  return `${'[0-9]'.repeat(13)}-${short}*`;
}
