import { expect, test } from 'vitest';
import { KEYS } from './keys.ts';

test('what the keys do fits on a terminal of 80 columns', () => {
  for (const [, meaning] of KEYS) expect(meaning.length, meaning).toBeLessThanOrEqual(80 - 13);
});
