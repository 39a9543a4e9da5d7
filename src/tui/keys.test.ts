import { expect, test } from 'vitest';
import { KEYS } from './keys.ts';

test('the help fits on a terminal of 80 columns', () => {
  for (const [, meaning] of KEYS) expect(meaning.length, meaning).toBeLessThanOrEqual(80 - 13);
});
