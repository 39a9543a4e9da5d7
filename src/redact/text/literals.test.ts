import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Literals } from './literals.ts';
import { Reader } from './reader.ts';

function hidden(text: string, literals: readonly string[]): string {
  const reader = new Reader(text);
  return new Literals(literals).findIn(reader, '#').apply(reader);
}

test('finds each, also inside of another and overlapping', () => {
  expect(hidden('a secret and a secretary', ['secret', 'secretary'])).toBe('a # and a #');
  expect(hidden('xabcdex', ['abcd', 'cdex'])).toBe('x#');
  expect(hidden('пароль: тайна', ['тайна'])).toBe('пароль: #');
  expect(hidden('nothing of it', ['else'])).toBe('nothing of it');
});

test('removes the same characters as comparing every position with every text', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(letters, { minLength: 1, maxLength: 5 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 }),
      (literals, text) => {
        const covered = [...text].map((_, at) =>
          literals.some((literal) =>
            [...literal].some((_, offset) => at - offset >= 0 && text.startsWith(literal, at - offset)),
          ),
        );
        const kept = [...text].filter((_, at) => !covered[at]).join('');
        expect(hidden(text, [...new Set(literals)]).replaceAll('#', '')).toBe(kept);
      },
    ),
  );
});
