import type { EffectEntry, Entry, Flag } from './program.ts';

/** What is wrong with an entry beyond its form. */
export function problemsOf(entry: Entry): string[] {
  const effects = entry.effects ?? [];
  const empty = effects.some(({ does, run }) => (does === undefined) === (run === undefined));
  return [
    ...(empty ? ['an effect has either "does" or "run"'] : []),
    ...describedAnyway(entry),
    ...unknownOptions(entry),
    ...unseenOptions(entry),
    ...dashes(entry),
    ...unknownReading(entry),
    ...shadowed(effects),
  ];
}

/** What may be known of a program of which nobody has described what its words mean. */
const BESIDE_WORDS: readonly string[] =
  'arguments covered dumps goals harmless observes onlyReads purpose secrets'.split(' ');

function describedAnyway(entry: Entry): string[] {
  if (entry.arguments === undefined) return [];
  return Object.keys(entry)
    .filter((key) => !BESIDE_WORDS.includes(key))
    .map((key) => `${key} says what its words mean, and they are unknown`);
}

interface Declared {
  /** The name under which it is seen, however it is written. */
  readonly name: string;
  /** Its letters, where it has a long name too. */
  readonly letters: string;
}

/** All options that an entry declares. */
function declared({ options = '', subOptions = {} }: Entry): readonly Declared[] {
  const specs = [options, ...Object.values(subOptions)].join(' ').split(/\s+/);
  return specs.map((spec) => {
    const bare = spec.replace(/[=?*]$/, '');
    const comma = bare.indexOf(',');
    if (comma >= 0) return { name: `--${bare.slice(comma + 1)}`, letters: bare.slice(0, comma) };
    return { name: bare.length === 1 ? `-${bare}` : `--${bare}`, letters: '' };
  });
}

/** An option that is not declared takes no value, and so is never what the entry means. */
function unknownOptions(entry: Entry): string[] {
  const known = new Set(declared(entry).map(({ name }) => name));
  const named = [
    ...[entry.reads, entry.writes, entry.uses, entry.aboutWith, entry.wraps?.script].flatMap(
      (list) => list ?? [],
    ),
    ...(entry.effects ?? []).flatMap(optionsIn),
  ];
  return named
    .map((option) => option.replace(/=.*/s, ''))
    .filter((option) => !known.has(option))
    .map((option) => `${option} is not among its options`);
}

/** Some fields may name what is not declared, but nothing that is seen under another name: `-n` of `n,dry-run`. */
function unseenOptions(entry: Entry): string[] {
  const known = declared(entry);
  const named = [
    ...(entry.preview ?? []).flatMap((preview) => preview.with),
    ...(entry.uploads ?? []).flatMap((upload) => [...(upload.values ?? []), ...(upload.with ?? [])]),
    ...(entry.secrets?.prints ?? []).flatMap((verb) =>
      verb.split(' ').filter((part) => part.startsWith('-')),
    ),
  ];
  return named.flatMap((option) => {
    if (known.some(({ name }) => name === option)) return [];
    const isShort = !option.startsWith('--');
    const seen = known.find(({ name, letters }) =>
      isShort ? letters.includes(option.slice(1)) : name.startsWith(option),
    );
    return seen ? [`${option} is seen as ${seen.name}`] : [];
  });
}

/** What a program only reads with has a list of options of its own. */
function unknownReading({ onlyReads }: Entry): string[] {
  if (onlyReads === undefined) return [];
  const { options = '', skipUnless, below, visibleUnless, here } = onlyReads;
  const known = new Set(declared({ options }).map(({ name }) => name));
  return [skipUnless, below, visibleUnless, here]
    .flatMap((list) => (list === undefined || list === true ? [] : list))
    .filter((option) => !known.has(option))
    .map((option) => `${option} is not among the options with which it only reads`);
}

/** Harmless options are compared without dashes. */
function dashes({ harmless = [] }: Entry): string[] {
  return harmless
    .flatMap((one) => one.with)
    .filter((option) => option.startsWith('-'))
    .map((option) => `${option} is harmless, and written without dashes`);
}

function optionsIn(effect: EffectEntry): string[] {
  const { tree, force, append, below, global, sends } = effect;
  const flags = [tree, force, append, below, global, sends].flatMap((flag) => (flag ? inFlag(flag) : []));
  const values = (effect.to ?? []).flatMap((target) => ('value' in target ? [target.value] : []));
  return [...(effect.with ?? []), ...(effect.without ?? []), ...flags, ...values];
}

const inFlag = (flag: Flag): readonly string[] =>
  flag === true ? [] : [...(flag.with ?? []), ...(flag.without ?? [])];

/** Entries behind one that always matches where they would. */
function shadowed(effects: readonly EffectEntry[]): string[] {
  return effects.flatMap((effect, at) =>
    effects.slice(0, at).some((before) => before.also !== true && covers(before, effect))
      ? [`effect ${at + 1} is never reached`]
      : [],
  );
}

function covers(before: EffectEntry, after: EffectEntry): boolean {
  return (
    within(after.on, before.on, '*') &&
    within(after.with, before.with) &&
    within(after.words, before.words) &&
    within(after.begins, before.begins) &&
    within(after.says, before.says) &&
    excludes(before.notOn, after.notOn) &&
    excludes(before.without, after.without) &&
    (before.args === undefined || String(before.args) === String(after.args))
  );
}

/** Whether all that one list lets through the other one does, too. */
function within(
  list: readonly string[] | undefined,
  wider: readonly string[] | undefined,
  all?: string,
): boolean {
  if (wider === undefined) return true;
  const isWithin = (one: string) => wider.includes(one) || (all !== undefined && wider.includes(all));
  return list?.every(isWithin) ?? false;
}

function excludes(list: readonly string[] = [], longer: readonly string[] = []): boolean {
  return list.every((one) => longer.includes(one));
}
