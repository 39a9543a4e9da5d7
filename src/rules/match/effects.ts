import type { Certainty } from '../../shell/analysis.ts';
import type { Facts, FileAccess, Found } from '../facts.ts';
import type { ConditionsText } from '../schema.ts';
import { isAtLeast } from './certainty.ts';
import { type PathPatterns, pathPatterns } from './paths.ts';
import { listed } from './word-match.ts';

/** Conditions of a rule on effects and the files they touch. */
export interface EffectPattern {
  test(facts: Facts): boolean;
  /** Quick test. False is certain if every path is its real path, and then stays the same for a line. */
  mayHold(facts: Facts): boolean;
  /** The matching effects. */
  find(facts: Facts): readonly Found[];
  /** The words of each alternative, the kind first. */
  readonly alternatives: readonly (readonly string[])[] | null;
  readonly places: Places;
}

/** What an effect must have for a rule to match: its kind and, unless null, this word. */
export interface EffectKey {
  readonly kind: string;
  readonly word: string | null;
}

export type Places = Readonly<Partial<Record<FileAccess, PathPatterns>>>;
type EffectText = Pick<
  ConditionsText,
  'effects' | 'reads' | 'writes' | 'deletes' | 'links' | 'sends' | 'exposes'
>;

export const ACCESSES: readonly FileAccess[] = ['read', 'write', 'delete', 'link', 'send', 'expose'];

/** Effect kinds for each access to a file. */
const KINDS: Readonly<Record<FileAccess, readonly string[]>> = {
  read: ['read'],
  write: ['write', 'permission'],
  delete: ['delete'],
  link: ['system'],
  send: ['send'],
  expose: ['expose'],
};

/** The files in conditions, by access. */
export function placesIn(text: EffectText): Places {
  const places: Partial<Record<FileAccess, PathPatterns>> = {};
  for (const access of ACCESSES) {
    const globs = listed(text[`${access}s`]);
    if (globs) places[access] = pathPatterns(globs);
  }
  return places;
}

/** Conditions can match only if an effect has one of these; null without effect conditions. */
export function effectKeys(text: EffectText, places: Places): readonly EffectKey[] | null {
  const alternatives = alternativesIn(text);
  if (alternatives) return alternatives.map(keyOf);
  const first = ACCESSES.find((access) => places[access] !== undefined);
  return first ? KINDS[first].map((kind) => ({ kind, word: null })) : null;
}

/** Null for a rule without effect conditions. `least` is the minimum certainty. */
export function effectPattern(text: EffectText, places: Places, least: Certainty): EffectPattern | null {
  const alternatives = alternativesIn(text);
  const placed = ACCESSES.filter((access) => places[access] !== undefined);
  if (alternatives === null && placed.length === 0) return null;

  const said = ({ tags, certainty }: Found) =>
    isAtLeast(certainty, least) && (alternatives === null || hasAnyOf(tags, alternatives));
  const inPlace = ({ access, touched, certainty }: Found, facts: Facts) => {
    const globs = access === null ? undefined : places[access];
    if (globs === undefined) return true;
    const level = globs.touch(touched, facts.scope());
    return level !== null && isAtLeast(level, least) && isAtLeast(certainty, least);
  };
  // If `effects` names deletions and `deletes` names paths, the same deletion must match both.
  const spoken = new Set(
    ACCESSES.filter((access) => alternatives?.some(([kind = '']) => KINDS[access].includes(kind))),
  );
  const mayBeInPlace = ({ access, touched }: Found, facts: Facts) =>
    access === null || (places[access]?.mayTouch(touched, facts.scope()) ?? true);
  /** Compares words before paths, because paths cost more. */
  const wanted = placed.map(
    (access) => (found: Found) => found.access === access && (!spoken.has(access) || said(found)),
  );
  if (alternatives) wanted.push(said);
  // Loops, because this runs for every candidate rule.
  const holds = (facts: Facts, isThere: typeof inPlace) => {
    const effects = facts.effects();
    for (const is of wanted) if (!hasSuch(effects, is, isThere, facts)) return false;
    return true;
  };
  return {
    test: (facts) => holds(facts, inPlace),
    mayHold: (facts) => holds(facts, mayBeInPlace),
    find: (facts) => {
      const isMeant = alternatives
        ? said
        : ({ access }: Found) => access !== null && places[access] !== undefined;
      return facts.effects().filter((found) => isMeant(found) && inPlace(found, facts));
    },
    alternatives,
    places,
  };
}

function alternativesIn({ effects }: EffectText): readonly (readonly string[])[] | null {
  return listed(effects)?.map((words) => words.trim().split(/\s+/)) ?? null;
}

/** The last word is the most specific: `delete recursive found`. */
function keyOf([kind = '', ...words]: readonly string[]): EffectKey {
  return { kind, word: words.at(-1) ?? null };
}

function hasSuch(
  effects: readonly Found[],
  is: (found: Found) => boolean,
  isThere: (found: Found, facts: Facts) => boolean,
  facts: Facts,
): boolean {
  for (const found of effects) if (is(found) && isThere(found, facts)) return true;
  return false;
}

function hasAnyOf(tags: readonly string[], alternatives: readonly (readonly string[])[]): boolean {
  for (const words of alternatives) if (hasAll(tags, words)) return true;
  return false;
}

/** The first word is the kind; the others may stand in any order. */
export function hasAll(tags: readonly string[], words: readonly string[]): boolean {
  if (words.length > 0 && tags[0] !== words[0]) return false;
  for (let at = 1; at < words.length; at += 1) if (!tags.includes(words[at] ?? '')) return false;
  return true;
}
