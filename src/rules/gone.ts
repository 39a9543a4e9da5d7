import { entryOf } from '../model/lookup.ts';
import { once } from '../platform/bounded.ts';
import { type PackRule, withoutParts } from './pack-compile.ts';
import { packData } from './pack-data.ts';

// Rules of packs that were merged into others. Their ids stay in settings and in the history.

const gone = once((): Readonly<Record<string, string>> => {
  const rules = Object.values(packData().packs).flatMap((pack) => pack.rules);
  return Object.fromEntries(
    rules.flatMap(({ was = {}, text }) => Object.keys(was).map((id) => [id, text.id] as const)),
  );
});

/** The rule that an earlier id was merged into; null if it was not. */
export function newIdOf(id: string): string | null {
  return entryOf(gone(), id) ?? null;
}

/** The current id of a rule, for any id that was recorded. */
export function idToday(id: string): string {
  return newIdOf(id) ?? id;
}

/** The rest of a rule when merged ids are switched off; null if all of them are. */
export function leftOf({ text, was = {} }: PackRule, off: readonly string[]): PackRule['text'] | null {
  const parts = Object.entries(was);
  const without = parts.filter(([id]) => off.includes(id));
  if (without.length === 0) return text;
  if (without.length === parts.length) return null;
  return withoutParts(
    text,
    without.map(([, part]) => part),
  );
}
