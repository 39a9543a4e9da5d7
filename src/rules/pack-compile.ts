import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseYaml, startOf } from './files/yaml.ts';
import { type CommandText, readCommand } from './match/command.ts';
import { patternProblem } from './match/pattern-problem.ts';
import type { PatternReader } from './match/pattern-reader.ts';
import { parseWhen } from './match/when.ts';
import { conditionsIn, type Places, placesNamed, withPlaces } from './places/named.ts';
import { compileRule, type RuleExamples } from './rule.ts';
import { type ConditionsText, packFileSchema, type RuleText } from './schema.ts';

/** A rule of a pack without its examples. */
export interface PackRule {
  /** Line and column in the YAML file. */
  readonly at: string;
  /** Names of the places in it. */
  readonly places: readonly string[];
  /** Ids of merged rules, each with its part of this one. */
  readonly was?: Readonly<Record<string, ConditionsText>>;
  readonly text: RuleText & { readonly id: string };
}

export interface CompiledPack {
  readonly summary: string;
  readonly observing: boolean;
  readonly rules: readonly PackRule[];
}

/** All packs in the form that the build stores, with every command that rules name already parsed. */
export interface CompiledPacks {
  readonly packs: Readonly<Record<string, CompiledPack>>;
  readonly commands: Readonly<Record<string, CommandText>>;
}

/** The examples of all packs, by the IDs of their rules. */
export type PackExamples = Readonly<Record<string, RuleExamples>>;

/**
 * Compiles the YAML files of a directory. `places` are used to check that every rule compiles; commands among them are
 * parsed as well.
 */
export function compilePacks(
  folder: string,
  places: Places,
): { readonly compiled: CompiledPacks; readonly examples: PackExamples } {
  const packs: Record<string, CompiledPack> = {};
  const examples: Record<string, RuleExamples> = {};
  const commands: Record<string, CommandText> = {};
  const reader = recording(commands);
  for (const name of namesIn(folder)) {
    const path = join(folder, `${name}.yaml`);
    const { pack, starts } = readPackFile(path);
    const rules = pack.rules.map(({ tests, was, ...text }, index): PackRule => {
      const at = starts[index] ?? '1:1';
      const { id } = text;
      if (id === undefined || id in examples) throw new Error(`${path}:${at}: needs an ID of its own`);
      const origin = { id, where: path, layer: 'pack', pack: name, observing: false } as const;
      const parts = Object.values(was);
      // Includes every part as an exception, so that problems with one are found here.
      for (const one of parts.length === 0 ? [text] : [text, withoutParts(text, parts)]) {
        const rule = compileRule(withPlaces(one, places), origin, reader);
        if ('problem' in rule) throw new Error(`${path}:${at}: rule ${id} ${rule.problem}`);
      }
      examples[id] = tests ?? { match: [], pass: [] };
      return { at, places: placesNamed(text), ...(parts.length === 0 ? {} : { was }), text: { ...text, id } };
    });
    packs[name] = { summary: pack.description ?? '', observing: pack.mode === 'observe', rules };
  }
  checkGone(Object.values(packs).flatMap(({ rules }) => rules));
  return { compiled: { packs, commands }, examples };
}

/** A merged id must mean one part of one rule, and no existing rule. */
function checkGone(rules: readonly PackRule[]): void {
  const ids = new Set(rules.map(({ text }) => text.id));
  for (const { was = {}, text } of rules) {
    const parts = Object.entries(was);
    for (const [id, part] of parts) {
      if (ids.has(id)) throw new Error(`rule ${text.id}: was: ${id} is a rule, or was another one`);
      ids.add(id);
      if (parts.length > 1 && Object.keys(part).length === 0)
        throw new Error(`rule ${text.id}: was: ${id} needs the part of the rule that it was`);
    }
  }
}

/** The rule without some of its parts: each becomes an exception, and the rest stays. */
export function withoutParts<Text extends RuleText>(text: Text, parts: readonly ConditionsText[]): Text {
  return { ...text, unless: [...conditionsIn(text).slice(1), ...parts] };
}

function namesIn(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => file.replace(/\.yaml$/, '')).sort();
}

function readPackFile(path: string) {
  const { document, problems, at } = parseYaml(readFileSync(path, 'utf8'), path);
  const [problem] = problems;
  if (problem) throw new Error(`${problem.where}: ${problem.message}`);
  const parsed = v.safeParse(packFileSchema, document.toJS());
  if (!parsed.success)
    throw new Error(`${path}: ${v.getDotPath(parsed.issues[0])}: ${parsed.issues[0].message}`);
  const starts = parsed.output.rules.map((_, index) => {
    const where = at(startOf(document.getIn(['rules', index], true)) ?? 0);
    return where.slice(path.length + 1);
  });
  return { pack: parsed.output, starts };
}

/** Records every command that it reads. */
function recording(commands: Record<string, CommandText>): PatternReader {
  return {
    check: patternProblem,
    when: parseWhen,
    command(text) {
      const read = commands[text] ?? readCommand(text);
      if (!('problem' in read)) commands[text] = read;
      return read;
    },
  };
}
