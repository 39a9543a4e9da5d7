import { expect, test } from 'vitest';
import { LOCK_FILES } from '../../test/support/redact/lock-files.ts';
import { redact } from './redact.ts';

test.each(LOCK_FILES)('$format keeps all of its digests', ({ text, digests }) => {
  expect(digests).toHaveLength(30);
  for (const whole of [
    text,
    JSON.stringify({ stdout: text }),
    JSON.stringify({ x: JSON.stringify({ text }) }),
  ]) {
    const safe = redact(whole);
    expect(digests.filter((digest) => !safe.includes(digest))).toEqual([]);
    expect(safe).toBe(whole);
  }
});

test('a diff of a lock file keeps its digests', () => {
  for (const { text } of LOCK_FILES) {
    const diff = text.replaceAll(/^/gm, '+');
    expect(redact(diff)).toBe(diff);
  }
});
