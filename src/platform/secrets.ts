import { randomBytes, timingSafeEqual } from 'node:crypto';

/** A random text that can't be guessed. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in constant time, which reveals nothing about the expected text. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
