import type { Context } from 'hono';
import { redact } from '../../redact/redact.ts';

/** What users see has been redacted, like all that leaves us. */
export function sendRedacted(c: Context, body: object): Response {
  return c.body(redact(JSON.stringify(body)), 200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
}
