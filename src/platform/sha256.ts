import { createHash } from 'node:crypto';

/** In hexadecimal digits. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
