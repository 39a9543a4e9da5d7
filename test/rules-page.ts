import { ACTS, OBJECTS } from '../src/knowledge/acts.ts';
import { EFFECT_WORDS } from '../src/rules/match/effect-words.ts';
import { packData } from '../src/rules/pack-data.ts';
import { RECOVERIES } from '../src/rules/recovery/recoveries.ts';
import { effectRemarks } from '../src/rules/review/effect-remarks.ts';
import { DEFAULT_PACKS } from '../src/rules/rule-set.ts';
import { ACT_WORDS, ACTIONS, CONDITIONS, EFFECTS, OPTIONS, RECOVERY_WORDS } from './rule-words.ts';

/** What stands on top of every page that is made from code. */
export const GENERATED =
  '<!-- Generated. Run `npx vitest run test/docs.test.ts -u` instead of editing it. -->\n\n';

type Rows = readonly (readonly string[])[];

function table(heads: readonly string[], rows: Rows): string {
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const explained = (words: Readonly<Record<string, string>>): Rows =>
  Object.entries(words).map(([word, meaning]) => [`\`${word}\``, meaning]);

const listed = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

function effectRows(): Rows {
  const wrong = Object.keys(EFFECTS).flatMap((effect) => effectRemarks(effect, { effectNames: () => [] }));
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join('\n'));
  return explained(EFFECTS);
}

function packRows(): Rows {
  const { packs } = packData();
  return Object.entries(DEFAULT_PACKS).map(([name, mode]) => {
    return [`\`${name}\``, mode, packs[name]?.summary ?? ''];
  });
}

/** docs/rules-reference.md. */
export function rulesPage(): string {
  return `${GENERATED}# Rule reference

Every key of a rule, every word that it can use, and the packs. [Rules](rules.md) shows how to write one.
[rules.schema.json](rules.schema.json) has the same keys for your editor.

## Conditions

A rule matches when all of its conditions match. If a condition is a list, one entry is enough. The former words \`gives\`, \`refused\`,
\`refusals\`, \`give\` and \`throwaway\` still work.

${table(['condition', 'matches'], explained(CONDITIONS))}

## Actions

${table(['key', 'effect'], explained(ACTIONS))}

## Options

${table(['key', 'meaning'], explained(OPTIONS))}

## Allow rules

- With \`command\`, every command on the line must be covered. Variables, functions, loops, subshells, redirections, wrappers and \`&\` aren't.
- More plain words may follow (\`npm test src/a.test.ts\`), but not for \`make\`, \`mvn\` or \`gradle\`, where each word is a goal.
- Options must be in the pattern, unless they are known to run, write and redirect nothing: \`npm test --silent\`, not \`npm test --prefix /tmp/x\`.
- With \`reads\`, \`writes\` or \`deletes\`, it covers file tools that touch nothing else. A command line needs \`command\` as well.
- With \`host\`, it covers calls to no other host. A call outside of the sandbox needs a \`when\` that names that argument.
- \`act\`, \`object\` and \`recovery\` can't allow.

## Patterns

Paths: \`*\` and \`?\` stay within a name, \`**\` is any number of directories, \`[a-z]\` and \`[!a-z]\` are classes, \`{a,b}\` are
alternatives, \`\\\` escapes. \`/…\` is absolute, \`~/…\` is the home (\`~/.x\` of any user), \`**/…\` is anywhere, the rest is from the project.
Links and \`..\` are resolved.

In \`host\`, \`tool\`, \`mcp\` and \`branch\`, \`*\` is any text. A pattern has at most 1,000 characters and 256 alternatives.

## Expressions

\`when\` is [CEL](https://cel.dev) over \`event\` and \`tool\` ([fields](events.md#fields-by-event)), \`commands\`, \`effects\`
(\`hookline rules explain --json\` shows them) and \`why\`, what could not be followed. \`event.branch\` and \`event.ignored\` are there as well.

Test optional arguments first: \`has(tool.input.x) && …\`. If an expression fails or takes more than 100 ms, a \`deny\` or \`ask\` matches.
A regular expression has the same limit, and the rules of a project share one.

## Acts

\`act\` and \`object\` match what a call does in any tool. [acts.md](acts.md) has an example of each pair.

${table(
  ['act', 'the call'],
  ACTS.map((act) => [`\`${act}\``, ACT_WORDS[act]]),
)}

Objects: ${listed([...OBJECTS].sort())}.

## Recovery

\`unless: {recovery: [committed, made-here]}\` exempts calls that take away only what you can get back.
[How Hookline finds out](analysis.md#recovery).

${table(
  ['recovery', 'what is taken away'],
  RECOVERIES.map((one) => [`\`${one}\``, RECOVERY_WORDS[one]]),
)}

## Effects

An effect is a kind and more words, in any order: \`delete recursive\`. \`hookline rules explain 'COMMAND'\` shows those of a command.

${table(
  ['kind', 'words'],
  Object.entries(EFFECT_WORDS).map(([kind, words]) => [`\`${kind}\``, listed(words)]),
)}

Kinds such as \`resource\`, \`vcs\` and \`package\` also take names of services, actions and programs. These need an explanation:

${table(['effect', 'the call'], effectRows())}

## Packs

\`packs: {cloud: on}\` in \`config.yaml\` turns a pack \`on\`, \`off\` or to \`observe\`. \`hookline rules list --all\` shows every rule.

${table(['pack', 'default', 'about'], packRows())}
`;
}
