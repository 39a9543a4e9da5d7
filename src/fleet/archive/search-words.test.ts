import { expect, test } from 'vitest';
import { searchable, wordsIn } from './search-words.ts';

test('words are sequences of letters and digits, without accents and case', () => {
  expect(wordsIn('rm -rf src/auth/Login_Page.ts')).toEqual([
    'rm',
    'rf',
    'src',
    'auth',
    'login',
    'page',
    'ts',
  ]);
  expect(wordsIn('Überprüfung, naïve café 日本語 v1.2')).toEqual([
    'uberprufung',
    'naive',
    'cafe',
    '日本語',
    'v1',
    '2',
  ]);
  expect(wordsIn("'); DROP TABLE x\0y --")).toEqual(['drop', 'table', 'x', 'y']);
});

test("searchable text has positions, and those of two texts don't adjoin", () => {
  expect(searchable(['git push', 'push'])).toBe("'git':1 'push':2,4");
  expect(searchable([])).toBe('');
});

test('PostgreSQL accepts the result, however long the text', () => {
  const words = Array.from({ length: 300_000 }, (_, at) => `${at.toString(36)}${'é日'.repeat(40)}`).join(' ');
  expect(Buffer.byteLength(searchable([words, words]))).toBeLessThan(1_000_000);
  const many = searchable(Array.from({ length: 20_000 }, (_, at) => `w${at}`));
  expect(Math.max(...[...many.matchAll(/:(\d+)/g)].map(([, at]) => Number(at)))).toBeLessThan(16_384);
});
