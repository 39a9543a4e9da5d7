import { randomBytes, timingSafeEqual } from 'node:crypto';
import { writePrivateFile } from '../platform/files.ts';

/** A secret for HTTP, new at every start: one that leaked ends with its daemon. It admits hooks and readers. */
export function newToken(path: string): string {
  const token = randomBytes(32).toString('base64url');
  writePrivateFile(path, `${token}\n`);
  return token;
}

export function sameToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The token in an Authorization header. */
export function bearer(header: string | undefined): string {
  return header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : '';
}
