import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as limits from './limits.ts';

/** `NAME: type = 16 << 20;` and plain numbers. */
function nativeLimits(): Record<string, number> {
  const source = readFileSync(new URL('../../native/src/limits.rs', import.meta.url), 'utf8');
  const found = source.matchAll(/^pub const (\w+): \w+ = ([\d_]+)(?: << (\d+))?;$/gm);
  return Object.fromEntries(
    [...found].map(([, name = '', number = '', shift = '0']) => [
      name,
      Number(number.replaceAll('_', '')) * 2 ** Number(shift),
    ]),
  );
}

test('the native forwarder has the same limits', () => {
  // Only the daemon reads requests, and only the JavaScript forwarder evaluates rules.
  const { MAX_REQUEST_BYTES, MAX_REQUEST_ID_CHARS, FALLBACK_MS, ...shared } = limits;
  expect(nativeLimits()).toEqual(shared);
});

test('the native forwarder uses every limit', () => {
  const source = readFileSync(new URL('../../native/src/limits.rs', import.meta.url), 'utf8');
  expect(Object.keys(nativeLimits())).toHaveLength(source.split('const ').length - 1);
});

test('a payload of the largest size fits into a request and into a reply', () => {
  const { MAX_PAYLOAD_BYTES, MAX_REQUEST_BYTES, MAX_REPLY_BYTES, MAX_STDIN_BYTES } = limits;
  expect(MAX_REQUEST_BYTES).toBeGreaterThanOrEqual(1.5 * MAX_PAYLOAD_BYTES);
  expect(MAX_REPLY_BYTES).toBeGreaterThanOrEqual(MAX_REQUEST_BYTES);
  expect(MAX_STDIN_BYTES).toBeGreaterThan(MAX_PAYLOAD_BYTES);
});
