import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseYaml, startOf } from './files/yaml.ts';
import { type CommandText, readCommand } from './match/command.ts';
import { patternProblem } from './match/pattern-problem.ts';
import type { PatternReader } from './match/pattern-reader.ts';
import { parseWhen } from './match/when.ts';
import { type Places, placesNamed, withPlaces } from './places/named.ts';
import { compileRule, type RuleExamples } from './rule.ts';
import { type RuleText, ruleFileSchema } from './schema.ts';

/** A rule of a pack without its examples. */
interface PackRule {
  /** Line and column in the YAML file. */
  readonly at: string;
  /** The places in it, by their names. */
  readonly places: readonly string[];
  readonly text: RuleText & { readonly id: string };
}

export interface CompiledPack {
  readonly summary: string;
  readonly observing: boolean;
  readonly rules: readonly PackRule[];
}

/** All packs as the build writes them down: what decides, with every command that the rules name parsed. */
export interface CompiledPacks {
  readonly packs: Readonly<Record<string, CompiledPack>>;
  readonly commands: Readonly<Record<string, CommandText>>;
}

/** The examples of all packs, by the IDs of their rules. */
export type PackExamples = Readonly<Record<string, RuleExamples>>;

/**
 * Reads the YAML files of a directory. `places` are for the check that every rule can be compiled; the commands among
 * them are parsed as well.
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
    const rules = pack.rules.map(({ tests, ...text }, index): PackRule => {
      const at = starts[index] ?? '1:1';
      const { id } = text;
      if (id === undefined || id in examples) throw new Error(`${path}:${at}: needs an ID of its own`);
      const origin = { id, where: path, layer: 'pack', pack: name, observing: false } as const;
      const rule = compileRule(withPlaces(text, places), origin, reader);
      if ('problem' in rule) throw new Error(`${path}:${at}: rule ${id} ${rule.problem}`);
      examples[id] = tests ?? { match: [], pass: [] };
      return { at, places: placesNamed(text), text: { ...text, id } };
    });
    packs[name] = { summary: pack.description ?? '', observing: pack.mode === 'observe', rules };
  }
  return { compiled: { packs, commands }, examples };
}

function namesIn(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => file.replace(/\.yaml$/, '')).sort();
}

function readPackFile(path: string) {
  const { document, problems, at } = parseYaml(readFileSync(path, 'utf8'), path);
  const [problem] = problems;
  if (problem) throw new Error(`${problem.where}: ${problem.message}`);
  const parsed = v.safeParse(ruleFileSchema, document.toJS());
  if (!parsed.success)
    throw new Error(`${path}: ${v.getDotPath(parsed.issues[0])}: ${parsed.issues[0].message}`);
  const starts = parsed.output.rules.map((_, index) => {
    const where = at(startOf(document.getIn(['rules', index], true)) ?? 0);
    return where.slice(path.length + 1);
  });
  return { pack: parsed.output, starts };
}

/** Notes every command that it reads. */
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
