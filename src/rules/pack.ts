import { join } from 'node:path';
import { entryOf } from '../model/lookup.ts';
import { suggestion } from '../model/suggestion.ts';
import { once } from '../platform/bounded.ts';
import type { LoadedRules, RuleProblem } from './files/load.ts';
import type { RuleSource } from './files/source.ts';
import { leftOf, newIdOf } from './gone.ts';
import { readCommand } from './match/command.ts';
import { patternProblem } from './match/pattern-problem.ts';
import type { PatternReader } from './match/pattern-reader.ts';
import { parseWhen } from './match/when.ts';
import { listed } from './match/word-match.ts';
import type { CompiledPack } from './pack-compile.ts';
import { PACKS_FOLDER, packData, packExamples } from './pack-data.ts';
import { conditionsIn, emptyList, isFixed, type Places, withPlaces } from './places/named.ts';
import { compileLater, compileRule, type Rule } from './rule.ts';

export function packNames(): string[] {
  return Object.keys(packData().packs);
}

/** Options of a pack: whether it only observes, and which merged ids are switched off. */
interface PackOptions {
  readonly observing: boolean;
  readonly places: Places;
  readonly off: readonly string[];
}

/** A pack, read on first use. It does not change while the process runs. */
export function openPack(
  name: string,
  observing: boolean,
  places: Places,
  off: readonly string[] = [],
): RuleSource {
  let loaded: LoadedRules | null = null;
  const load = () => {
    loaded ??= readPack(name, { observing, places, off: off.filter((id) => newIdOf(id) !== null) });
    return loaded;
  };
  return { load, isStale: () => loaded === null, rules: () => load().rules, problems: () => load().problems };
}

const READ = new Map<string, LoadedRules>();
/** Places, and so rules, differ per home; one process sees only a few of them. */
const MOST_READ = 100;

/** Cached, because homes rarely have different packs and can share compiled rules. */
function readPack(name: string, options: PackOptions): LoadedRules {
  const { observing, places, off } = options;
  const pack = entryOf(packData().packs, name);
  if (pack === undefined)
    return { rules: [], problems: [{ where: 'config.yaml', message: noSuchPack(name) }] };
  const named = new Set(pack.rules.flatMap((rule) => rule.places));
  const given = [...named].map((place) => entryOf(places, place) ?? null);
  const key = JSON.stringify([name, observing, given, off]);
  const known = READ.get(key);
  if (known !== undefined) return known;
  const loaded = rulesOf(name, pack, { ...options, observing: observing || pack.observing });
  if (READ.size >= MOST_READ) READ.clear();
  READ.set(key, loaded);
  return loaded;
}

function rulesOf(name: string, pack: CompiledPack, { observing, places, off }: PackOptions): LoadedRules {
  const path = join(PACKS_FOLDER, `${name}.yaml`);
  const rules: Rule[] = [];
  const problems: RuleProblem[] = [];
  for (const one of pack.rules) {
    const { at, places: named } = one;
    const written = leftOf(one, off);
    if (written === null) continue;
    const { id } = written;
    const where = `${path}:${at}`;
    const examples = () => packExamples()[id] ?? { match: [], pass: [] };
    const origin = { id, where, layer: 'pack', pack: name, observing, examples } as const;
    const text = named.length === 0 ? written : withPlaces(written, places);
    // Values filled in by the machine may be anything; everything else was checked by the build.
    const rule = named.every(isFixed)
      ? compileLater(text, origin, BUILT)
      : compileRule(text, origin, FILLED_IN);
    if ('problem' in rule) problems.push({ where, message: `rule ${id} ${rule.problem}` });
    else rules.push(rule);
  }
  return Object.freeze({ rules: Object.freeze(rules), problems });
}

const BUILT: PatternReader = {
  check: () => null,
  command: (text) => entryOf(packData().commands, text) ?? readCommand(text),
  // Evaluated last in a rule, so that few calls reach it.
  when(text) {
    const parsed = once(() => parseWhen(text));
    return (facts) => {
      const expression = parsed();
      if ('problem' in expression) throw new Error(expression.problem);
      return expression(facts);
    };
  },
};

const FILLED_IN: PatternReader = { ...BUILT, check: (text) => emptyList(text) ?? patternProblem(text) };

export function noSuchPack(name: string): string {
  const names = packNames();
  return `unknown pack "${name}"; ${suggestion(name, names) ?? `known packs: ${names.join(', ')}`}`;
}

/** The ids of all rules of all packs, enabled or not. */
export function packRuleIds(): string[] {
  return allRules().map(({ id }) => id);
}

/** All effects named in packs. */
export function packEffects(): string[] {
  return allRules().flatMap((text) => conditionsIn(text).flatMap(({ effects }) => listed(effects) ?? []));
}

/** The packs with rules that allow. */
export function allowingPacks(): string[] {
  return packNames().filter((name) => textsIn(name).some(({ allow }) => allow !== undefined));
}

/** The description of a pack and its number of rules. */
export function aboutPack(name: string): { readonly summary: string; readonly rules: number } {
  return { summary: entryOf(packData().packs, name)?.summary ?? '', rules: textsIn(name).length };
}

function allRules() {
  return packNames().flatMap(textsIn);
}

function textsIn(name: string) {
  return entryOf(packData().packs, name)?.rules.map(({ text }) => text) ?? [];
}
