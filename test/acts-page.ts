import { ACTS, type DeedName } from '../src/knowledge/acts.ts';
import { effectActs } from '../src/knowledge/load.ts';
import { deedsIn } from '../src/rules/deeds/deeds.ts';
import { createFacts } from '../src/rules/facts.ts';
import { openPack, packNames } from '../src/rules/pack.ts';
import { EXAMPLE_PLACES } from '../src/rules/places/example.ts';
import { exampleCall } from '../src/rules/review/examples.ts';
import { createSessionMemory } from '../src/rules/session/memory.ts';
import { GENERATED } from './rules-page.ts';

const LONGEST = 70;

/** Each act on each object, with the shortest example among those of the packs. */
function examplesByDeed(): ReadonlyMap<DeedName, string> {
  const found = new Map<DeedName, string>();
  const rules = packNames().flatMap((name) => openPack(name, false, EXAMPLE_PLACES).rules());
  for (const rule of rules)
    for (const example of rule.examples().match) {
      const text = typeof example === 'string' ? example : textOf(example);
      if (text === null || text.length > LONGEST || /[\n|`]|''|^[^a-z]/.test(text)) continue;
      const call = exampleCall(rule, example);
      if (call === null) continue;
      for (const { name } of deedsIn(createFacts(call.event, call.world, createSessionMemory()))) {
        const before = found.get(name);
        if (before === undefined || isBetter(text, before)) found.set(name, text);
      }
    }
  return found;
}

/** A command says more than the name of a tool; of two the shorter one, and of two as short the first. */
function isBetter(one: string, other: string): boolean {
  const rank = (text: string) =>
    `${text.startsWith('tool ') ? 1 : 0}${String(text.length).padStart(3, '0')}${text}`;
  return rank(one) < rank(other);
}

/** A tool by its server and name; null for anything else that is not a command line. */
function textOf(example: unknown): string | null {
  const mcp = typeof example === 'object' && example !== null && 'mcp' in example ? example.mcp : null;
  return typeof mcp === 'string' ? `tool ${mcp}` : null;
}

/** docs/acts.md: every act with every object that has effects. */
export function actsPage(): string {
  const examples = examplesByDeed();
  const effects = new Map<string, string[]>();
  for (const { deed, words } of effectActs())
    effects.set(deed, [...(effects.get(deed) ?? []), words.join(' ')]);
  const names = [...new Set([...effects.keys(), ...examples.keys()])];
  const sorted = ACTS.flatMap((act) => names.filter((name) => name.startsWith(`${act} `)).sort());
  const rows = sorted.map((name) => {
    const example = [...examples].find(([deed]) => deed === name)?.[1];
    const words = (effects.get(name) ?? []).map((one) => `\`${one}\``).join(', ');
    return `| \`${name}\` | ${example === undefined ? '' : `\`${example}\``} | ${words} |`;
  });
  return `${GENERATED}# Acts and objects

What \`act\` and \`object\` of a rule can say, from \`knowledge/\` ([rule reference](rules-reference.md#acts)). A line without effects is known
of single programs only.

| act and object | example | effects that come to it |
|---|---|---|
${rows.join('\n')}
`;
}
