import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PARTS } from '../src/cli/summaries.ts';

// What people read says what is true: links lead somewhere, and commands exist.

const root = new URL('../', import.meta.url);
const FOLDERS = [
  '',
  'docs/',
  'docs/agents/',
  'examples/',
  '.github/',
  '.github/ISSUE_TEMPLATE/',
  'test/clients/',
];
const pages = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => /\.(?:md|yml)$/.test(name))
    .map((name) => folder + name),
);
const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8');

test.each(pages)('%s: links lead to files', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
  const local = links.filter((link) => !/^https?:/.test(link));
  expect(local.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([]);
});

test('every command example runs an existing command', () => {
  const blocks = [...textOf('docs/commands.md').matchAll(/^Examples\n((?: {2}.*\n)+)/gm)];
  const lines = blocks.flatMap(([, block = '']) => block.trimEnd().split('\n'));
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => !/\bhookline(?: |$)/.test(line))).toEqual([]);
});

test('docs/architecture.md names files that exist', () => {
  const page = textOf('docs/architecture.md');
  const named = [...page.matchAll(/`((?:src|web|native)\/[^`<]+\.\w+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

/** As GitHub names the headings of a page. */
function anchorsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(pages)('%s: links lead to headings', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)];
  const lost = links.filter(([, file = '', anchor = '']) => {
    const target = new URL(file === '' ? page : file, file === '' ? root : new URL(page, root));
    return !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});

/** Made from strings of the program, which have a test of their own, or from a run. */
const IS_MADE = /^<!-- Generated/;
const written = pages.filter(
  (page) => /^(?:docs\/|README|SECURITY|CHANGELOG|CONTRIBUTING)/.test(page) && !IS_MADE.test(textOf(page)),
);

test.each(written)('%s: no table cell has more than 20 words', (page) => {
  const cells = [...textOf(page).matchAll(/^\|.*\|$/gm)].flatMap(([row]) => row.split(/(?<!\\)\|/));
  const words = (cell: string) =>
    cell
      .replace(/`[^`]*`/g, 'x')
      .trim()
      .split(/\s+/);
  expect(cells.filter((cell) => words(cell).length > 20)).toEqual([]);
});

test('every `hookline …` is an existing command', () => {
  const help = execFileSync(process.execPath, [fileURLToPath(new URL('bin/hookline.js', root)), '--help'], {
    encoding: 'utf8',
  });
  const listed = [...help.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name);
  expect(listed).toContain('setup');
  // A part of another command also works by itself.
  const commands = [...listed, ...Object.values(PARTS).flat()];
  for (const page of pages) {
    const named = [...textOf(page).matchAll(/(?:^|`)hookline ([a-z][a-z-]*)/gm)].map(([, name]) => name);
    expect(
      named.filter((name) => !commands.includes(name)),
      page,
    ).toEqual([]);
    expect(textOf(page), page).not.toMatch(/npx hookline|node bin\/hookline/);
  }
});

test('AGENTS.md is short enough to read in every session', () => {
  expect(textOf('AGENTS.md').split('\n').length).toBeLessThanOrEqual(60);
});
