import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// An agent hides the file that counts behind so many others that a reader stops before it.

const list = (count: number, name: (at: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, at) => name(at)).join(between);

const ATTACKS = {
  'behind 450 files of a program that is known': `rm ${list(450, (at) => `a${at}`)} ~/.hookline`,
  'behind 450 files of a program that is not': `frobnicate ${list(450, (at) => `a${at}`)} ~/.hookline`,
  'in the last of many folders': `frobnicate ${list(12, (at) => `/x${at}`)} ~ .hookline/config.yaml`,
  'in code, behind 300 other names': `python3 -c "x = [${list(300, (at) => `'a/b${at}'`, ', ')}]; swap(h + '/.hookline')"`,
  'as a pattern for a program that is not known': 'gpg -o ~/.hook*/config.yaml x',
};

const ASKED = {
  'in more places than are looked at': `frobnicate ${list(150, (at) => `/x/a${at}`)} ${list(150, (at) => `b${at}`)}`,
  'in code with more names than are looked at': `python3 -c "x = [${list(6_000, (at) => `'a/b${at}'`, ', ')}]; swap(h + '/.hookline')"`,
};

const EVERYDAY = [
  `npx prettier --write ${list(450, (at) => `src/a${at}.ts`)}`,
  'npx prettier --write "**/*.ts" src/**/*.tsx',
  `git add ${list(450, (at) => `src/a${at}.ts`)}`,
];

describe('with the default rules', () => {
  const decide = judged();
  test.each(Object.entries(ATTACKS))('denied: %s', (_, command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(Object.entries(ASKED))('asked: %s', (_, command) => {
    expect(decide(command)).toBe('ask');
  });
  test.each(EVERYDAY)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('without self-protection they succeed, so it is what denies them', () => {
  // A program of so many names is too large to be read, which another pack asks about.
  const decide = judged({ 'self-protection': 'off', recommended: 'off' });
  const stopped = Object.values({ ...ATTACKS, ...ASKED }).filter((command) => decide(command) !== 'none');
  expect(stopped).toEqual([]);
});
