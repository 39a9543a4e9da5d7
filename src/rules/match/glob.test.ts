import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandBraces, MAX_ALTERNATIVES } from './braces.ts';
import { compileGlob, literalBase, segmentTest } from './glob.ts';
import { wordMatch } from './word-match.ts';

const PIECES = ['a', 'b', 'ab', '.', '*', '*', '?', '[ab]', '[^a]', '[!a]', '[a-c]', '-', '.a', '\\*'];
const pieces = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((all) => all.join(''))
  .filter((text) => !/^\.{1,2}$/.test(text) && !text.includes('**'));
const globName = fc.oneof({ weight: 4, arbitrary: pieces }, { weight: 1, arbitrary: fc.constant('**') });
// Rules only use these; other patterns are first placed below a directory.
const glob = fc.oneof(
  fc.array(globName, { maxLength: 4 }).map((names) => ['**', ...names].join('/')),
  fc
    .tuple(pieces, fc.array(globName, { maxLength: 4 }))
    .map(([top, names]) => `/${[top, ...names].join('/')}`),
);
const name = fc
  .string({ unit: fc.constantFrom('a', 'b', 'c', '.', '-', '*'), minLength: 1, maxLength: 5 })
  .filter((text) => !/^\.{1,2}$/.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => `/${names.join('/')}`);

/** A pattern for one name as a regular expression. */
function nameForm(glob: string, dot: boolean): RegExp {
  const signs = glob.match(/\\.|\[[!^]?[^\]]+\]|./gs) ?? [];
  const forms = signs.map((sign) => {
    if (sign === '*') return '.*';
    if (sign === '?') return '.';
    return sign.length > 2
      ? sign.replace('[!', '[^')
      : `\\u{${sign.codePointAt(sign.length - 1)?.toString(16)}}`;
  });
  // A lone star doesn't match an empty name: the part before the first slash is not a directory.
  const start = `${glob === '*' ? '(?=.)' : ''}${!dot && /^[*?]/.test(glob) ? '(?!\\.)' : ''}`;
  return new RegExp(`^${start}${forms.join('')}$`, 'u');
}

/** A plain reimplementation of `compileGlob`: tries each `**` with every number of directories. */
function matchesNames(globs: readonly string[], names: readonly string[], before = ''): boolean {
  const [glob, ...rest] = globs;
  const [name, ...others] = names;
  if (glob === undefined) return name === undefined;
  if (glob !== '**')
    return name !== undefined && nameForm(glob, true).test(name) && matchesNames(rest, others, glob);
  // The star may match files. Then only content below its matches counts.
  const isBelowStar = rest.every((one) => one === '**') && before !== '**' && /(?<!\\)\*$/.test(before);
  if (isBelowStar) return name !== undefined;
  return (
    names.some((_, taken) => matchesNames(rest, names.slice(taken), glob)) || matchesNames(rest, [], glob)
  );
}

test('a pattern matches paths name by name', () => {
  fc.assert(
    fc.property(glob, path, (pattern, text) => {
      expect(compileGlob(pattern)(text)).toBe(matchesNames(pattern.split('/'), text.split('/')));
    }),
    { numRuns: 10_000 },
  );
});

test('a pattern for one name equals a regular expression, with and without dots', () => {
  fc.assert(
    fc.property(pieces, name, fc.boolean(), (pattern, text, dot) => {
      expect(segmentTest(pattern, dot)(text)).toBe(nameForm(pattern, dot).test(text));
    }),
    { numRuns: 10_000 },
  );
});

test.each([
  ['/a/[!b]', '/a/c', true],
  ['/a/[!b]', '/a/b', false],
  ['/a/[[:digit:]]x', '/a/7x', true],
  ['/a/[[:digit:]]x', '/a/dx', false],
  ['/a/[[:valueOf:]d]x', '/a/dx', true],
  ['/a/[[:valueOf:]d]x', '/a/vx', false],
  ['/a/[[:hasOwnProperty:]d]x', '/a/dx', true],
  ['/a/[[::]d]x', '/a/dx', true],
  ['/a/[[.d.]]x', '/a/dx', true],
  ['/a/[[=d=]]x', '/a/dx', true],
  ['/a/[[:digit]x', '/a/:x', true],
  ['/a/[]]', '/a/]', true],
  ['/a/[b', '/a/[b', true],
  ['/a/(b)/c', '/a/(b)/c', true],
  ['/a/\\*', '/a/*', true],
  ['/a/\\*', '/a/b', false],
  ['/a*/**', '/ab', false],
  ['/a*/**', '/ab/c', true],
  ['/a/**', '/a', true],
  ['**/*.pem', '/x\ny/a\nb.pem', true],
  ['/a/***', '/a/b/c', false],
])('%s and %j: %s', (pattern, text, expected) => {
  expect(compileGlob(pattern)(text)).toBe(expected);
});

test.each([
  ['/etc/passwd', '/etc/passwd'],
  ['/etc/*', '/etc'],
  ['/etc/pass*', '/etc'],
  ['/*', '/'],
  ['*', ''],
  ['/a/b/**', '/a/b'],
  ['/a/[b]/c', '/a'],
  ['/a/b+c/d*', '/a/b+c'],
])('everything that %s matches is in "%s"', (pattern, base) => {
  expect(literalBase(pattern)).toBe(base);
});

test('expands braces from left to right, up to a limit', () => {
  expect(expandBraces('{a,b}/{c,{d,e}}')).toEqual(['a/c', 'a/d', 'a/e', 'b/c', 'b/d', 'b/e']);
  expect(expandBraces('a{b')).toEqual(['a{b']);
  expect(expandBraces('{a,b}'.repeat(Math.log2(MAX_ALTERNATIVES)))).toHaveLength(MAX_ALTERNATIVES);
  expect(expandBraces('{a,b}'.repeat(1_000))).toBeNull();
});

test('words: a star matches anything, including nothing and slashes; braces hold words, not patterns', () => {
  expect(wordMatch('*.example.com')('a/b.example.com')).toBe(true);
  expect(wordMatch('a*b*c')('abc')).toBe(true);
  expect(wordMatch('a*b*c')('acb')).toBe(false);
  expect(wordMatch('{a*,b}?')('a*x')).toBe(true);
  expect(wordMatch('{a*,b}?')('axx')).toBe(false);
  expect(wordMatch('a{b')('a{b')).toBe(true);
  expect(() => wordMatch('{a,b}'.repeat(1_000))).toThrow('alternatives');
});
