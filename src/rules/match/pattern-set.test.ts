import fc from 'fast-check';
import { expect, test } from 'vitest';
import { surer } from './certainty.ts';
import { patternSet } from './pattern-set.ts';

const name = fc.constantFrom('a', 'b', '.env', 'etc', '.ssh', 'id_rsa', 'x.pem', '(c)');
const globName = fc.oneof(
  name,
  fc.constantFrom(
    '*',
    '**',
    '*',
    '**',
    '*.pem',
    '.e*',
    'id_*',
    '?',
    '[ab]',
    '*a*',
    'a\\b',
    'a\\*',
    '***',
    'a*',
  ),
);
const glob = fc
  .tuple(fc.constantFrom('/', '**/', '/home/dev/'), fc.array(globName, { maxLength: 4 }))
  .map(([start, names]) => start + names.join('/'));
const path = fc
  .tuple(
    fc.constantFrom('/', '/home/dev/', ''),
    fc.array(globName, { maxLength: 5 }),
    fc.constantFrom('', '/'),
  )
  .map(([start, names, end]) => start + names.join('/') + end);
const globs = fc.array(glob, { minLength: 1, maxLength: 8 });

test('patterns in one tree match like each of them alone', () => {
  fc.assert(
    fc.property(globs, path, (all, given) => {
      expect(patternSet(all).matches(given)).toBe(all.some((one) => patternSet([one]).matches(given)));
    }),
    { numRuns: 2_000 },
  );
});

test('patterns in one tree are met as certainly as the most certain of them alone', () => {
  const how = fc.record({ glob: fc.boolean(), below: fc.boolean(), sifted: fc.boolean() });
  fc.assert(
    fc.property(globs, path, how, (all, text, reading) => {
      const alone = all.map((one) => patternSet([one]).meet(text, reading));
      expect(patternSet(all).meet(text, reading)).toBe(alone.reduce(surer, null));
    }),
    { numRuns: 2_000 },
  );
});

test('earlier queries do not change an answer', () => {
  const question = fc.tuple(path, fc.boolean(), fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(globs, fc.array(question, { minLength: 2 }), (all, questions) => {
      const used = patternSet(all);
      for (const [text, glob, below, sifted] of [...questions, ...questions])
        expect(used.meet(text, { glob, below, sifted })).toBe(
          patternSet(all).meet(text, { glob, below, sifted }),
        );
    }),
  );
});

test('a tree omits no pattern that would match', () => {
  const plain = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => `/${names.join('/')}`);
  const lifted = (text: string, at: number) => {
    const names = text.split('/');
    return [['**', ...names.slice(at)], [...names.slice(0, at), '**'], names.with(-1, '*')].map((one) =>
      one.join('/'),
    );
  };
  fc.assert(
    fc.property(
      plain,
      fc.array(plain, { maxLength: 5 }),
      fc.integer({ min: 1, max: 5 }),
      (text, others, at) => {
        for (const pattern of lifted(text, Math.min(at, text.split('/').length - 1)))
          expect(patternSet([...others, pattern]).matches(text), pattern).toBe(true);
      },
    ),
  );
});
