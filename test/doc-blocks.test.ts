import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { PARTS } from '../src/cli/summaries.ts';
import { readConfig } from '../src/home/config.ts';
import { parseRules } from '../src/rules/files/load.ts';
import { failedExamples } from '../src/rules/review/examples.ts';
import { scratchFolder } from './support/scratch.ts';

// What is to be typed or copied from the documentation is understood. docs/hooks.md has a test of its own, which runs it.

const root = new URL('../', import.meta.url);
const pagesIn = (folder: string) => readdirSync(new URL(folder, root)).map((name) => folder + name);
const pages = ['README.md', ...['docs/', 'docs/agents/'].flatMap(pagesIn)].filter(
  (page) => page.endsWith('.md') && page !== 'docs/hooks.md',
);

function blocks(language: string): [where: string, text: string][] {
  return pages.flatMap((page) => {
    const text = readFileSync(new URL(page, root), 'utf8');
    const found = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'));
    return [...found].map(({ 1: block = '', index }): [string, string] => [
      `${page}:${text.slice(0, index).split('\n').length}`,
      block,
    ]);
  });
}

afterEach(() => void vi.restoreAllMocks());

const lines = blocks('sh').flatMap(([where, text]) =>
  text
    .split('\n')
    .filter((line) => /^hookline [a-z]/.test(line))
    .map((line): [string, string] => [where, line.replace(/\s+#.*$/, '')]),
);

test.each(lines)('%s: %s', async (_, line) => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const [, name = '', ...words] = wordsOf(line);
  const [command, args] = PARTS[name]?.includes(words[0] ?? '')
    ? [words[0] ?? '', words.slice(1)]
    : [name, words];
  // With --help nothing is done, but every option has to be known.
  expect(await (await COMMANDS[command]?.[1]())?.default.run(['--help', ...args])).toBe(0);
});

/** As a shell would cut it, as far as documentation goes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

test.each(blocks('yaml'))('the settings or rules at %s are understood', (where, text) => {
  if (/^rules:/m.test(text)) {
    const { rules, problems } = parseRules(text, where);
    expect(problems).toEqual([]);
    expect(rules.flatMap(failedExamples)).toEqual([]);
    return;
  }
  const file = join(scratchFolder(), 'config.yaml');
  writeFileSync(file, text);
  expect(readConfig(file)).toBeTypeOf('object');
});
