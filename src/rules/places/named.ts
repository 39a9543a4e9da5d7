import { filesOf, variableGroups } from '../../knowledge/load.ts';
import { entryOf } from '../../model/lookup.ts';
import { once } from '../../platform/bounded.ts';
import { INSTALLED } from '../../shell/memory/installed.ts';
import type { ConditionsText, RuleText } from '../schema.ts';
import { PROCESS_LINKS } from './process-links.ts';

/** What `"<name>"` in a list of a pack stands for: directories and files that differ between machines. */
export type Places = Readonly<Record<string, readonly string[]>>;

const KEYS = ['command', 'effects', 'reads', 'writes', 'deletes', 'links', 'sends', 'exposes'] as const;
const PLACE = /^<([\w-]+)>$/;
/** Places that are the same on every machine. */
export const fixedPlaces: () => Places = once(() => ({
  ...filesOf('secrets'),
  ...filesOf('leftovers'),
  ...PROCESS_LINKS,
  ...settings(),
  'hookline-installed': INSTALLED,
}));

/** Groups of variables, as effect words. */
function settings(): Places {
  return Object.fromEntries(
    Object.entries(variableGroups()).map(([group, { names }]) => [
      group,
      names.flatMap((name) => (name.includes('*') ? [] : [`env set ${name}`])),
    ]),
  );
}

/** The names of places in a rule. */
export function placesNamed(text: RuleText): readonly string[] {
  return conditionsIn(text).flatMap((one) => KEYS.flatMap((key) => namesIn(one[key])));
}

/** True if a name stands for the same on every machine. */
export function isFixed(name: string): boolean {
  return Object.hasOwn(fixedPlaces(), name);
}

/** The rule with names replaced. Keeps an unknown name. */
export function withPlaces(text: RuleText, places: Places): RuleText {
  const { unless } = text;
  const filled = inConditions(text, places);
  if (unless === undefined) return filled;
  const exceptions = Array.isArray(unless)
    ? unless.map((one) => inConditions(one, places))
    : inConditions(unless, places);
  return { ...filled, unless: exceptions };
}

/** The problem if a name stands for nothing; null otherwise. */
export function emptyList(text: ConditionsText): string | null {
  const key = KEYS.find((one) => text[one]?.length === 0);
  return key === undefined ? null : `${key}: must not be empty`;
}

/** The conditions of a rule and of its exceptions. */
export function conditionsIn(text: RuleText): readonly ConditionsText[] {
  return [text, ...(text.unless === undefined ? [] : [text.unless].flat())];
}

function inConditions<Text extends ConditionsText>(text: Text, places: Places): Text {
  let filled = text;
  for (const key of KEYS) {
    const value = text[key];
    if (namesIn(value).length > 0) {
      const list = [value ?? []].flat().flatMap((one) => placesCalled(one, places) ?? one);
      filled = { ...filled, [key]: list };
    }
  }
  return filled;
}

function placesCalled(word: string, places: Places): readonly string[] | undefined {
  const name = PLACE.exec(word)?.[1];
  if (name === undefined) return undefined;
  return entryOf(places, name) ?? entryOf(fixedPlaces(), name);
}

function namesIn(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined || typeof value === 'string') return [];
  return value.flatMap((one) => PLACE.exec(one)?.[1] ?? []);
}
