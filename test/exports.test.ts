import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);

/** Loaded from outside: the public API, and what Node calls by name. */
const ENTRIES: ReadonlySet<string> = new Set([
  'src/index.ts',
  'src/live/index.ts',
  'src/hooks/code/loader.ts',
  'src/agents/kilo/host.ts',
]);

/** Not exports, but the text of a module that a test writes. */
const IN_TEXT: ReadonlySet<string> = new Set(['src/forwarder/testing.ts fallback']);

function sources(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.[jt]sx?$/.test(file) && !file.endsWith('.d.ts'));
}

const files = ['src/', 'test/', 'web/', 'scripts/'].flatMap(sources);
const textOf = (file: string) => readFileSync(new URL(file, root), 'utf8');

/** Names in `{ a, type B, c as d }`: those before `as`, which are the ones of the other file. */
function namesIn(braces: string): string[] {
  return braces
    .split(',')
    .map((one) => one.trim().replace(/^type\s+/, ''))
    .map((one) => one.split(/\s+as\s+|\s*:\s*/)[0] ?? '')
    .filter((name) => name !== '');
}

function exportsIn(text: string): string[] {
  const declared = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm,
  );
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name = '']) => name),
    ...[...listed].flatMap(([, braces = '']) =>
      braces.split(',').map((one) => one.trim().split(/\s+/).at(-1) ?? ''),
    ),
  ].filter((name) => name !== '' && name !== 'default');
}

/** `file name` of all that a file takes from others; `file *` where it takes the whole. */
function importsIn(file: string, text: string): string[] {
  const from = (specifier: string) => posix.join(posix.dirname(file), specifier);
  const named = text.matchAll(/(?:import|export)[^;'"]*?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g);
  const awaited = text.matchAll(/\{([^{}]*)\}\s*=\s*await import\(\s*'(\.[^']+)'/g);
  const whole = text.matchAll(/(?:import|export) \* (?:as \w+ )?from '(\.[^']+)'/g);
  const picked = text.matchAll(/import\('(\.[^']+)'\)\)?\.(?:then\(\(\{([^}]*)\}|(\w+))/g);
  return [
    ...[...named, ...awaited].flatMap(([, braces = '', specifier = '']) =>
      namesIn(braces).map((name) => `${from(specifier)} ${name}`),
    ),
    ...[...picked].flatMap(([, specifier = '', braces, name]) =>
      (braces === undefined ? [name ?? ''] : namesIn(braces)).map((one) => `${from(specifier)} ${one}`),
    ),
    ...[...whole].map(([, specifier = '']) => `${from(specifier)} *`),
  ];
}

test('what is exported is imported somewhere', () => {
  const imported = new Set(files.flatMap((file) => importsIn(file, textOf(file))));
  const dead = files
    .filter((file) => file.startsWith('src/') && !/\.test\.tsx?$/.test(file))
    .filter((file) => !ENTRIES.has(file) && !imported.has(`${file} *`))
    .flatMap((file) => exportsIn(textOf(file)).map((name) => `${file} ${name}`))
    .filter((one) => !imported.has(one) && !IN_TEXT.has(one));
  expect(dead).toEqual([]);
});

test('exports and imports are found in every form', () => {
  expect(
    exportsIn(
      "export function* a() {}\nexport async function b() {}\nexport const c = 1;\nexport type D = 1;\nexport { e, type F } from './x.ts';\nexport { g as h };\nexport default {};\n",
    ),
  ).toEqual(['a', 'b', 'c', 'D', 'e', 'F', 'h']);
  expect(
    importsIn(
      'src/cli/x.ts',
      "import v, { a, type B as C } from './y.ts';\nimport {\n  d,\n} from '../e.ts';\nconst { f: g } = await import('./h.ts');\nimport * as i from './j.ts';\ntype K = import('./l.ts').M;\nexport { n } from './o.ts';\n",
    ),
  ).toEqual([
    'src/cli/y.ts a',
    'src/cli/y.ts B',
    'src/e.ts d',
    'src/cli/o.ts n',
    'src/cli/h.ts f',
    'src/cli/l.ts M',
    'src/cli/j.ts *',
  ]);
});
