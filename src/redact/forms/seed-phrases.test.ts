import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { redact } from '../redact.ts';
import { PHRASE_WORDS } from './phrase-words.ts';

test('the words match the published list', () => {
  const digest = createHash('sha256')
    .update(`${PHRASE_WORDS.replaceAll(' ', '\n')}\n`)
    .digest('hex');
  expect(digest).toBe('2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda');
});

const PHRASE = 'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic';

test('a phrase gets its kind, and the text next to it stays', () => {
  expect(redact(`wallet: the words are ${PHRASE}, and no more`)).toBe(
    'wallet: the words are [redacted:seed-phrase], and no more',
  );
  expect(redact(JSON.stringify({ a: PHRASE, type: 'x' }))).toBe('{"a":"[redacted:seed-phrase]","type":"x"}');
  expect(redact(JSON.stringify([true, ...PHRASE.split(' '), false]))).toBe(
    '[true,"[redacted:seed-phrase]",false]',
  );
});

test.each([2_047, 1_024, 0])('word %d of the list is known', (index) => {
  const word = PHRASE_WORDS.split(' ')[index] ?? '';
  expect(redact(`${PHRASE.replace('picnic', word)}!`)).toBe('[redacted:seed-phrase]!');
});
