import { basename } from 'node:path';
import * as v from 'valibot';
import { parseYaml } from '../files/yaml.ts';
import { listed } from '../match/word-match.ts';
import { ruleFileSchema, ruleSchema } from '../schema.ts';

/** A deny rule, with command lines that it may match, the likeliest first. */
export interface DenyExample {
  readonly id: string;
  readonly commands: readonly string[];
}

/** The deny rules of a file, each with its examples and those derived from its patterns. */
export function denyExamples(text: string, file: string): readonly DenyExample[] {
  const given = parseYaml(text, file).document.toJS();
  const { rules, mode } = v.parse(v.fallback(RuleFile, { rules: [], mode: 'enforce' }), given);
  if (mode === 'observe') return [];
  return rules.flatMap((item, index) => {
    const rule = v.safeParse(ruleSchema, item);
    if (!rule.success || rule.output.deny === undefined || rule.output.mode === 'observe') return [];
    const id = rule.output.id ?? `${basename(file)}#${index + 1}`;
    const written = (rule.output.tests?.match ?? []).flatMap(commandOf);
    return [{ id, commands: [...written, ...(listed(rule.output.command) ?? []).map(spelledOut)] }];
  });
}

const RuleFile = v.looseObject({
  rules: v.array(v.unknown()),
  mode: v.optional(ruleFileSchema.entries.mode),
});

const Example = v.union([
  v.string(),
  v.pipe(
    v.looseObject({ command: v.string() }),
    v.transform(({ command }) => command),
  ),
]);

function commandOf(example: unknown): readonly string[] {
  const parsed = v.safeParse(Example, example);
  return parsed.success ? [parsed.output] : [];
}

/** A command that the pattern matches: a wildcard becomes a word, and alternatives become the first one. */
function spelledOut(pattern: string): string {
  return pattern.replaceAll(/\{([^{},]*)[^{}]*\}/g, '$1').replaceAll(/\*+|\?/g, 'x');
}
