import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HooklineError } from '../model/errors.ts';
import { parseRules } from '../rules/files/load.ts';

/** Rules of a test: YAML, or the URL of a file with it. */
export type GivenRules = string | URL;

const HINT = 'Give YAML with `rules:`, or the URL of a rule file.';

/**
 * Their text. Throws NOT_FOUND, and RULE_INVALID for rules that Hookline does not understand: they would not be in
 * force, and a test would pass without them.
 */
export async function textOfRules(given: GivenRules): Promise<string> {
  const file = given instanceof URL ? fileURLToPath(given) : 'rules.yaml';
  const text = given instanceof URL ? await textOf(file) : given;
  const [problem] = parseRules(text, file).problems;
  if (problem === undefined) return text;
  throw new HooklineError('RULE_INVALID', `${problem.where}: ${problem.message}`, { hint: HINT });
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new HooklineError('NOT_FOUND', `There is no rule file ${file}.`, { cause, hint: HINT });
  }
}
