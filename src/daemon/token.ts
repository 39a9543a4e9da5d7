import { randomBytes, timingSafeEqual } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readIfThere } from '../home/config.ts';

/** The secret of this home, made once. Whoever can read it may use the API. */
export function readToken(path: string): string {
  const known = readIfThere(path)?.trim();
  if (known) return known;
  const token = randomBytes(32).toString('base64url');
  writeFileSync(path, `${token}\n`, { mode: 0o600 });
  return token;
}

export function sameToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}
