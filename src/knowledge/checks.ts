import { declared } from './declared.ts';
import type { Conditions, EffectEntry, Entry, Flag, OptionTest } from './program.ts';
import { traitProblems } from './trait-checks.ts';

/** What is wrong with an entry beyond its form. */
export function problemsOf(entry: Entry): string[] {
  const effects = entry.effects ?? [];
  const empty = effects.some(({ does, run }) => (does === undefined) === (run === undefined));
  return [
    ...(empty ? ['an effect has either "does" or "run"'] : []),
    ...unknownOptions(entry),
    ...tooLong(entry),
    ...traitProblems(entry),
    ...shadowed(effects),
    ...shadowed((entry.losses ?? []).filter((loss) => loss.if === undefined)),
  ];
}

/** A subcommand has as many words as the entry says, and one more behind a group: a longer one is never met. */
function tooLong({ sub = 0, groups = [], effects = [] }: Entry): string[] {
  const most = (on: string) => (groups.includes(on.split(' ')[0] ?? '') ? Math.max(sub, 1) + 1 : sub);
  return effects
    .flatMap(({ on = [] }) => on)
    .filter((on) => on.split(' ').length > most(on))
    .map((on) => `on: ${on} has more words than subcommands.words (${sub})`);
}

/** An option that is not declared takes no value, and so is never what the entry means. */
function unknownOptions(entry: Entry): string[] {
  const known = new Set(declared(entry).map(({ name }) => name));
  const named = [
    ...[entry.reads, entry.writes, entry.uses, entry.aboutWith, entry.wraps?.script].flatMap(
      (list) => list ?? [],
    ),
    ...(entry.effects ?? []).flatMap(optionsIn),
    ...(entry.losses ?? []).flatMap(tested),
    ...Object.values(entry.facts ?? {})
      .flat()
      .filter((word) => word.startsWith('-')),
  ];
  return named
    .map((option) => option.replace(/=.*/s, ''))
    .filter((option) => !known.has(option))
    .map((option) => `${option} is not among its options (which are written without dashes)`);
}

function optionsIn(effect: EffectEntry): string[] {
  const { tree, force, append, below, global, sends } = effect;
  const flags = [tree, force, append, below, global, sends].flatMap((flag) => (flag ? inFlag(flag) : []));
  const values = (effect.to ?? []).flatMap((target) => ('value' in target ? [target.value] : []));
  return [...tested(effect), ...flags, ...values];
}

const tested = ({ with: needed = [], without = [], standing = [] }: OptionTest): readonly string[] => [
  ...needed,
  ...without,
  ...standing,
];

const inFlag = (flag: Flag): readonly string[] =>
  flag === true ? [] : [...(flag.with ?? []), ...(flag.without ?? [])];

/** Entries behind one that always matches where they would. */
function shadowed(effects: readonly (Conditions & { also?: boolean })[]): string[] {
  return effects.flatMap((effect, at) =>
    effects.slice(0, at).some((before) => before.also !== true && covers(before, effect))
      ? [`effect ${at + 1} is never reached`]
      : [],
  );
}

function covers(before: Conditions, after: Conditions): boolean {
  return (
    within(after.on, before.on, '*') &&
    within(after.with, before.with) &&
    within(after.standing, before.standing) &&
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
