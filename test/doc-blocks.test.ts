import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { AGENT_COMMANDS } from '../src/agents/_names.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { PARTS } from '../src/cli/summaries.ts';
import { readConfig } from '../src/home/config.ts';
import { parsePrograms } from '../src/knowledge/compile.ts';
import { parseRules } from '../src/rules/files/load.ts';
import { failedExamples } from '../src/rules/review/examples.ts';
import { scratchFolder } from './support/scratch.ts';

// Checks what readers type or copy from the documentation. The code on docs/hooks.md, docs/testing.md and docs/api.md
// runs in hook-docs.test.ts, testing-docs.test.ts and api.product.test.ts.

const root = new URL('../', import.meta.url);
const pagesIn = (folder: string) => readdirSync(new URL(folder, root)).map((name) => folder + name);
const pages = ['', 'docs/', 'docs/agents/', 'examples/']
  .flatMap(pagesIn)
  .filter((page) => page.endsWith('.md') && page !== 'CHANGELOG.md');
const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8');

function blocks(language: string): [where: string, text: string][] {
  return pages.flatMap((page) => {
    const text = textOf(page);
    const found = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'));
    return [...found].map(({ 1: block = '', index }): [string, string] => [
      `${page}:${text.slice(0, index).split('\n').length}`,
      block,
    ]);
  });
}

afterEach(() => void vi.restoreAllMocks());

/** As a shell would split it, as far as documentation goes. */
function wordsOf(line: string): string[] {
  const words = line.matchAll(/"\$\(|\(|\)"?|'([^']*)'|"([^"]*)"|&&|\|\||[|;]|([^\s|;&()]+)/g);
  return [...words].map(([word, single, double]) => single ?? double ?? word);
}

const ENDS = new Set(['&&', '||', '|', ';', '(', ')', '"$(', ')"']);

/** The commands of a line, without redirections, comments and variables in front. */
function commandsOf(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const word of wordsOf(
    line.replace(/(^|\s)#(\s.*)?$/, '').replace(/\s(?:>>?|<)\s*[^\s<>]+(?=\s|$)/g, ''),
  )) {
    if (ENDS.has(word)) commands.push([]);
    else if (commands.at(-1)?.length !== 0 || !/^\w+=/.test(word)) commands.at(-1)?.push(word);
  }
  return commands;
}

async function expectKnown([name = '', ...words]: readonly string[]): Promise<void> {
  if (Object.hasOwn(AGENT_COMMANDS, name) || name.startsWith('-')) return;
  const [command, args] = PARTS[name]?.includes(words[0] ?? '')
    ? [words[0] ?? '', words.slice(1)]
    : [name, words];
  vi.spyOn(console, 'log').mockImplementation(() => {});
  // With --help nothing is done, but every option must exist.
  expect(await (await COMMANDS[command]?.[1]())?.default.run(['--help', ...args])).toBe(0);
}

const typed = blocks('sh').flatMap(([where, text]) =>
  text.split('\n').flatMap((line) => commandsOf(line).map((command) => ({ where, line, command }))),
);
const ofHookline = typed.filter(({ command: [program, name] }) => program === 'hookline' && name);

test.each(ofHookline)('$where: $line', ({ command }) => expectKnown(command.slice(1)));

const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(textOf('package.json')),
);
const ofNpm = typed.filter(({ command: [program] }) => program === 'npm' || program === 'npx');

test.each(ofNpm)('$where: $line names scripts and files that exist', ({ command }) => {
  const [, verb = '', ...words] = command;
  if (verb === 'run' || verb === 'test')
    expect(Object.keys(scripts)).toContain([verb, ...words][Number(verb === 'run')]);
  const files = words.filter((word) => /^(?:src|test|docs)\/[^<]*$/.test(word));
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});

const mentioned = pages.flatMap((page) => {
  const prose = textOf(page).replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`(hookline [a-z-]+[^`]*)`/g)].map(([, line = '']) => ({ page, line }));
});

test.each(mentioned)('$page mentions $line', async ({ line }) => {
  for (const [program, name, ...words] of commandsOf(line.replaceAll('\\|', '|')))
    if (program === 'hookline' && name !== undefined) await expectKnown([name, ...words]);
});

const examples = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, [, load]]) => ({
    name,
    examples: (await load()).default.examples,
  })),
);
const shown = examples.flatMap(({ name, examples }) => examples.map(([line]) => ({ name, line })));

test.each(shown)('the help of $name: $line', async ({ line }) => {
  const own = commandsOf(line).filter((command) => command.includes('hookline'));
  expect(own).not.toEqual([]);
  for (const command of own) await expectKnown(command.slice(command.indexOf('hookline') + 1));
});

test.each(blocks('json'))('the JSON at %s can be parsed', (_, text) => {
  const values = text.split(/\n(?=\{)/).map((value) => JSON.parse(value));
  expect(values.every((value) => typeof value === 'object')).toBe(true);
});

test.each(blocks('yaml').filter(([where]) => !where.startsWith('docs/hooks.md')))(
  'the settings, rules or knowledge at %s are valid',
  (where, text) => {
    if (/^rules:/m.test(text)) {
      const { rules, problems } = parseRules(text, where);
      expect(problems).toEqual([]);
      expect(rules.flatMap(failedExamples)).toEqual([]);
      return;
    }
    if (/^names:/m.test(text)) {
      expect(parsePrograms('skiff.yaml', text)).toHaveLength(1);
      return;
    }
    const file = join(scratchFolder(), 'config.yaml');
    writeFileSync(file, text);
    expect(readConfig(file)).toBeTypeOf('object');
  },
);
