import { expect, test } from 'vitest';
import { isLoopback, isLoopbackUrl } from './loopback.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])(
  '%s is this machine',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each(['localhost.example.com', '127.0.0.1.nip.io', '127.example.com', '10.0.0.1', '0.0.0.0', '::2', ''])(
  '"%s" is another machine',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

test.each([
  ['http://localhost:4318/v1/traces', true],
  ['https://[::1]/', true],
  ['http://127.0.0.1', true],
  ['http://localhost.example.com/', false],
  ['http://user@example.com/127.0.0.1', false],
  ['localhost', false],
])('%s: %s', (address, expected) => {
  expect(isLoopbackUrl(address)).toBe(expected);
});
