import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** A clone with nothing beside it builds and passes its tests: no file here may name one that is elsewhere. */
const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));

/** Other folders at the top are generated, installed, or of local tools. */
const FOLDERS = [
  '.ci',
  '.github',
  'bin',
  'docs',
  'examples',
  'native',
  'npm',
  'scripts',
  'src',
  'test',
  'web',
];
/** Builds, and what was captured from other programs. */
const SKIPPED = new Set(['node_modules', 'target', 'fixtures', 'recordings']);
/** Rules, and other tools' rules, are about files anywhere. */
const ABOUT_PATHS = /^(?:src\/rules\/packs|test\/import)\//;
const TEXT = /\.(?:ts|tsx|js|mjs|json|ya?ml|md|html|css|rs|toml|sh)$|^\.ci\//;
/** Where a path is a string of its own; elsewhere it is a word among others. */
const CODE = /\.(?:ts|tsx|js|mjs|html|css|rs)$/;

interface Found {
  readonly file: string;
  readonly isLink: boolean;
}

function walk(folder: string): Found[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = posix.join(folder, entry.name);
    const skipped = folder === '' ? !FOLDERS.includes(entry.name) : SKIPPED.has(entry.name);
    if (entry.isDirectory()) return skipped ? [] : walk(file);
    return [{ file, isLink: entry.isSymbolicLink() }];
  });
}

type Check = (file: string, text: string) => Iterable<{ readonly 0: string; readonly index: number }>;

const leaves = (folder: string, path: string) => /^\.\.(?:\/|$)/.test(posix.join(folder, path));

function* relativePaths(file: string, text: string) {
  // What the scripts of CI name is meant from the root, where they go first.
  const folder = file.startsWith('.ci/') ? '.' : posix.dirname(file);
  const words = CODE.test(file)
    ? /(?<=['"`])[^'"`\s:]*\.\.[^'"`\s:]*(?=['"`])/g
    : /(?<![^\s'"`(=])\.\.\/[^\s'"`)]*/g;
  for (const match of text.matchAll(words))
    if (/^[\w.]/.test(match[0]) && leaves(folder, match[0])) yield match;
}

/** Steps up that are arguments of their own, and one up from what is called the root. */
function* stepsUp(file: string, text: string) {
  const depth = file.split('/').length - 1;
  for (const match of text.matchAll(/(?:(['"])\.\.\1\s*[,)]\s*)+/g))
    if (match[0].split('..').length - 1 > depth) yield match;
  yield* text.matchAll(/\broot\b\s*,\s*['"`]\.\.|\$\{root\}\/?\.\./gi);
}

/** Paths that stay inside but lead to nothing there: they are meant from the root, or from another folder. */
function* missing(file: string, text: string) {
  // Tests name what they make, and templates are copied elsewhere.
  if (!CODE.test(file) || /\.test\.ts$|^test\/|^scripts\/new-agent\//.test(file)) return;
  const folder = posix.dirname(file);
  for (const match of text.matchAll(/(?<=['"`])\.\.\/[\w./-]+(?=['"`])/g))
    if (!leaves(folder, match[0]) && !isBuilt(folder, match[0]) && !existsSync(join(root, folder, match[0])))
      yield match;
}

/** The build makes `dist`, and parts of it only where their compiler is installed. */
const isBuilt = (folder: string, path: string) => /^dist(?:\/|$)/.test(posix.join(folder, path));

/** Users and projects that do not exist. */
const INVENTED = '(?!(?:dev|me|dora|someone|other|shop|api|link|x|c/Users/dev|b\\.txt)\\b)';
const ABSOLUTE = new RegExp(
  `(?<![\\w.~}*/-])/(?:home|Users|root|work|mnt|media|Volumes|workspaces?|builds)/${INVENTED}\\w[^\\s'"\`]*`,
  'g',
);

const CHECKS: Readonly<Record<string, Check>> = {
  'leaves the repository': relativePaths,
  'steps out of the repository': stepsUp,
  'is not in the repository': missing,
  'is of one machine': (_, text) => text.matchAll(ABSOLUTE),
};

function offences(file: string, text: string): string[] {
  return Object.entries(CHECKS).flatMap(([what, check]) =>
    [...check(file, text)].map(({ 0: path, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line}: ${path} ${what}`;
    }),
  );
}

const files = walk('');

test('no file in the repository names a file outside it', () => {
  const read = files.filter(({ file }) => TEXT.test(file) && !ABOUT_PATHS.test(file));
  expect(read.length).toBeGreaterThan(500);
  expect(read.flatMap(({ file }) => offences(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test('no link in the repository leads outside', () => {
  const links = files.filter(({ isLink }) => isLink).map(({ file }) => file);
  const target = (file: string) => relative(root, realpathSync(join(root, file)));
  expect(links.filter((file) => target(file).startsWith('..'))).toEqual([]);
});

// Node's function, imported or called as a member. A program in another language that a test only reads about is not one.
const MAKES_FOLDER = new RegExp(
  `mkd${'temp'}Sync|\\bmkd${'temp'}\\b[^;]*\\bfrom 'node:fs|\\b(?:fs|promises)\\.mkd${'temp'}`,
);

test('test directories come from the one function that removes them', () => {
  // Those that start other programs for minutes, or share a folder among files, have their own.
  const own = /^test\/(?:support\/scratch\.ts|clients\/|package\/)/;
  const makers = files
    .map(({ file }) => file)
    .filter((file) => /\.test\.ts$|^test\/.*\.ts$/.test(file) && !own.test(file))
    .filter((file) => MAKES_FOLDER.test(readFileSync(join(root, file), 'utf8')));
  expect(makers).toEqual([]);
});

// Put together here, so that this file does not commit what it looks for.
const up = (times: number) => '../'.repeat(times);
const at = (...parts: string[]) => `/${parts.join('/')}`;

test.each([
  ['leaves the repository', 'src/model/a.ts', `import { x } from '${up(3)}x.ts';`],
  ['leaves the repository', 'test/a.test.ts', `new URL('${up(2)}data/', import.meta.url)`],
  ['leaves the repository', 'test/a.test.ts', `new URL('${up(2).slice(0, -1)}', import.meta.url)`],
  ['leaves the repository', 'src/shell/a.test.ts', `resolve(import.meta.dirname, './x/${up(4)}data')`],
  ['leaves the repository', 'native/src/a.rs', `include_str!("${up(3)}vectors.txt")`],
  ['leaves the repository', 'web/tsconfig.json', `{ "extends": "${up(2)}tsconfig.json" }`],
  ['leaves the repository', 'package.json', `"score": "node ${up(1)}tools/score.js"`],
  ['leaves the repository', 'docs/a.md', `See [this](${up(2)}notes.md).`],
  ['leaves the repository', 'CONTRIBUTING.md', `npm run score -- ${up(1)}corpora`],
  ['leaves the repository', '.ci/run', `cp -r ${up(1)}cache .`],
  ['steps out of the repository', 'test/a.test.ts', `join(import.meta.dirname, ${"'..', ".repeat(2)}'data')`],
  ['steps out of the repository', 'scripts/a.js', `join(root${', '}'..', 'data')`],
  ['steps out of the repository', 'test/faults/a.ts', `\`$\{root}/${up(1)}data\``],
  ['is not in the repository', 'src/shell/a.ts', `const folder = '${up(1)}data/x';`],
  ['is of one machine', 'src/cli/a.ts', `readFileSync('${at('work', 'data', 'a.json')}')`],
  ['is of one machine', 'docs/a.md', `cd ${at('home', 'erika', 'hookline')}`],
  ['is of one machine', 'test/a.ts', `spawn("${at('Users', 'erika', 'bin', 'x')}")`],
  ['is of one machine', 'scripts/a.js', `existsSync('${at('root', 'cache')}')`],
])('finds what %s in %s: %s', (what, file, text) => {
  const found = offences(file, `first line\n${text}\n`);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(new RegExp(`^${file}:2: .* ${what}$`));
});

test.each([
  ['src/model/a.ts', `import { x } from '${up(2)}package.json';`],
  ['test/a.test.ts', `new URL('${up(1).slice(0, -1)}', import.meta.url)`],
  ['src/rules/a.test.ts', `['rm -rf ${up(5)}srv', 'cd .. && ls']`],
  ['docs/agents/a.md', `[rules](${up(1)}rules.md) and ${up(2)}README.md`],
  ['src/home/a.ts', `['/tmp/x', '/etc/hookline', '/home/dev/shop', '~/work/client', 'a/home/b']`],
  ['.ci/run', 'cd "$(dirname "$0")/.."'],
])('accepts paths inside the repository in %s: %s', (file, text) => {
  expect(offences(file, text)).toEqual([]);
});
