import * as v from 'valibot';
import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { parseYaml, startOf, startOfKey } from '../rules/files/yaml.ts';
import { type HookEntry, hookSchema, type Provider, providerSchema } from './config-schema.ts';
import type { HookProblem } from './hook.ts';

/** One entry as written, and where. */
export interface PlacedEntry {
  readonly entry: HookEntry;
  readonly name: string;
  readonly where: string;
}

export interface HooksFile {
  readonly entries: readonly PlacedEntry[];
  readonly providers: ReadonlyMap<string, Provider>;
  readonly problems: readonly HookProblem[];
}

export const NO_HOOKS: HooksFile = { entries: [], providers: new Map(), problems: [] };

/** The hooks in a text, in order, with line and column of each problem. */
export function parseHooks(text: string, file: string): HooksFile {
  const { document, problems, at } = parseYaml(text, file);
  if (problems.length > 0 || document.contents === null) return { ...NO_HOOKS, problems };
  if (!isMap(document.contents))
    return { ...NO_HOOKS, problems: [{ where: at(0), message: 'the file is a list under "hooks:"' }] };

  const read = <T>(schema: v.GenericSchema<unknown, T>, node: YAMLMap, what: string): T | null => {
    const parsed = v.safeParse(schema, node.toJS(document));
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    const [key = ''] = issue.path?.map((step) => String(step.key)) ?? [];
    const complaint = issue.expected === 'never' ? `${what} has an unknown key` : issue.message;
    problems.push({
      where: at(startOfKey(node, key) ?? startOf(node) ?? 0),
      message: `${v.getDotPath(issue) ?? what}: ${complaint}`,
    });
    return null;
  };

  const providers = new Map<string, Provider>();
  const table = document.contents.get('providers', true);
  for (const { key, value } of isMap(table) ? table.items : []) {
    const provider = isMap(value) ? read(providerSchema, value, 'a provider') : null;
    if (provider) providers.set(String(key), provider);
  }
  const list = document.contents.get('hooks', true);
  if (list !== undefined && !isSeq(list) && !(isScalar(list) && list.value === null))
    problems.push({ where: at(startOf(list) ?? 0), message: 'hooks: must be a list' });
  const entries: PlacedEntry[] = [];
  for (const [index, node] of (isSeq(list) ? list.items : []).entries()) {
    const where = at(startOf(node) ?? 0);
    if (!isMap(node)) {
      problems.push({ where, message: 'a hook is a map, as in "- type: command"' });
      continue;
    }
    const entry = read(hookSchema, node, 'a hook');
    if (entry) entries.push({ entry, name: entry.name ?? `hooks.yaml#${index + 1}`, where });
  }
  return { entries, providers, problems };
}
