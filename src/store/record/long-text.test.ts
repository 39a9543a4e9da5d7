import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { wholeOf, withoutLongTexts } from './long-text.ts';

test('a long text keeps its beginning and end, and records its length and hash', () => {
  const content = `begin${'x'.repeat(200_000)}end`;
  const { path, content: kept } = JSON.parse(withoutLongTexts(JSON.stringify({ path: 'a', content })));
  expect(path).toBe('a');
  expect(kept.length).toBeLessThan(33_000);
  expect(kept).toMatch(/^beginx+\n… \[cut: 200008 characters, sha256 [0-9a-f]{64}\] …\nx+end$/);
  expect(wholeOf(kept)).toEqual({
    length: 200_008,
    hash: createHash('sha256').update(content).digest('hex'),
  });
});

test('short texts are kept, even many of them', () => {
  for (const value of [{ a: 'x' }, { a: Array.from({ length: 5000 }, () => 'sixteen letters.') }]) {
    expect(withoutLongTexts(JSON.stringify(value))).toBe(JSON.stringify(value));
  }
  expect(wholeOf('x')).toBeNull();
  expect(wholeOf('x'.repeat(40_000))).toBeNull();
});

test('JSON too deep to parse again is kept', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(withoutLongTexts(deep)).toBe(deep);
});
