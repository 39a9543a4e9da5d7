import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { expandBraces, MAX_ALTERNATIVES } from './braces.ts';
import { compileGlob, literalBase, segmentTest } from './glob.ts';
import { wordMatch } from './words.ts';

// Without what picomatch takes for regular expressions (`[ab]*`) and does not know (`[!a]`).
const piece = fc.constantFrom('a', 'b', 'ab', '.', '*', '*', '?', '[ab]', '[^a]', '[a-c]', '-', '.a', '\\*');
const pieces = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((all) => all.join(''))
  .filter((text) => !/\][*?]|^\.{1,2}$/.test(text) && !text.includes('**'));
const globName = fc.oneof({ weight: 4, arbitrary: pieces }, { weight: 1, arbitrary: fc.constant('**') });
// Rules have no other patterns: the rest is put below a folder first.
const glob = fc.oneof(
  fc
    .array(globName, { maxLength: 4 })
    .map((names) => ['**', ...names].join('/'))
    // There picomatch takes the nothing before the first slash for a folder.
    .filter((pattern) => !/^(?:\*\*\/)+\*\//.test(pattern)),
  fc
    .tuple(pieces, fc.array(globName, { maxLength: 4 }))
    .map(([top, names]) => `/${[top, ...names].join('/')}`),
);
const name = fc
  .string({ unit: fc.constantFrom('a', 'b', 'c', '.', '-', '*'), minLength: 1, maxLength: 5 })
  .filter((text) => !/^\.{1,2}$/.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => `/${names.join('/')}`);

const oracle = (pattern: string, dot: boolean) =>
  picomatch(pattern, { dot, nonegate: true, fastpaths: false });

test('a pattern matches the paths that picomatch says it matches', () => {
  fc.assert(
    fc.property(glob, path, (pattern, text) => {
      expect(compileGlob(pattern)(text)).toBe(oracle(pattern, true)(text));
    }),
    { numRuns: 10_000 },
  );
});

test('a pattern for one name means the same as in picomatch, with and without dots', () => {
  fc.assert(
    fc.property(pieces, name, fc.boolean(), (pattern, text, dot) => {
      // Whether a class at the start stands for a dot is not picomatch's to say: no shell lets it.
      fc.pre(dot || !pattern.startsWith('['));
      expect(segmentTest(pattern, dot)(text)).toBe(oracle(pattern, dot)(text));
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

test.each(['/etc/passwd', '/etc/*', '/etc/pass*', '/*', '*', '/a/b/**', '/a/[b]/c', '/a/b+c/d*'])(
  'everything that %s matches lies in the folder that picomatch names',
  (pattern) => expect(literalBase(pattern)).toBe(picomatch.scan(pattern).base),
);

test('braces are expanded from left to right, and not without end', () => {
  expect(expandBraces('{a,b}/{c,{d,e}}')).toEqual(['a/c', 'a/d', 'a/e', 'b/c', 'b/d', 'b/e']);
  expect(expandBraces('a{b')).toEqual(['a{b']);
  expect(expandBraces('{a,b}'.repeat(Math.log2(MAX_ALTERNATIVES)))).toHaveLength(MAX_ALTERNATIVES);
  expect(expandBraces('{a,b}'.repeat(1_000))).toBeNull();
});

test('words: a star may be anything, also nothing and slashes; braces hold words, not patterns', () => {
  expect(wordMatch('*.example.com')('a/b.example.com')).toBe(true);
  expect(wordMatch('a*b*c')('abc')).toBe(true);
  expect(wordMatch('a*b*c')('acb')).toBe(false);
  expect(wordMatch('{a*,b}?')('a*x')).toBe(true);
  expect(wordMatch('{a*,b}?')('axx')).toBe(false);
  expect(wordMatch('a{b')('a{b')).toBe(true);
  expect(() => wordMatch('{a,b}'.repeat(1_000))).toThrow('alternatives');
});
