import { expect, test } from 'vitest';
import { termsOf } from './query.ts';

const said = (text: string) => termsOf(text).map((term) => term.said);

test('words that questions are made of are left out, unless there is nothing else', () => {
  expect(said('why did we drop the redis cache?')).toEqual(['drop', 'redis', 'cache?']);
  expect(said('what is it')).toEqual(['what', 'is', 'it']);
  expect(said('"what is it" cache')).toEqual(['what is it', 'cache']);
  expect(said('cache Cache')).toEqual(['cache']);
  expect(said('… " *')).toEqual([]);
});

test('quotes and stars say how a word has to be there', () => {
  expect(termsOf('"exit code" deploy* src/login.ts')).toMatchObject([
    { words: ['exit', 'code'], isQuoted: true, others: [], beginning: null },
    { words: ['deploy'], isBeginning: true, others: [], beginning: null },
    { words: ['src', 'login', 'ts'], isQuoted: false, isBeginning: false, beginning: null },
  ]);
});

test('a name is also its words, and words are also a name', () => {
  const others = (text: string) =>
    termsOf(text).map((term) => term.others.map(({ words }) => words.join(' ')));
  expect(others('RateLimiter')[0]).toContain('rate limiter');
  for (const found of others('rate limiter')) expect(found).toContain('ratelimiter');
});

test('words of the same meaning are other ways to say it, also those of several words', () => {
  const others = (text: string) =>
    termsOf(text).flatMap((term) => term.others.map(({ words }) => words.join(' ')));
  expect(others('login')).toContain('sign in');
  expect(others('sign in')).toContain('login');
  expect(others('"login"')).toEqual([]);
});

test('a word that is everywhere counts less than others', () => {
  const [used, redis] = termsOf('used redis').map(({ weight }) => weight);
  expect(used).toBeLessThan(redis ?? 0);
});

test('of a pasted page, the first words are looked for', () => {
  const page = Array.from({ length: 500 }, (_, at) => `word${at}`);
  expect(said(page.join(' '))).toEqual(page.slice(0, 32));
});
