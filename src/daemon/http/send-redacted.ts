import type { Context } from 'hono';
import { redact } from '../../redact/redact.ts';

/** Users see redacted text, like everything that leaves the daemon. */
export function sendRedacted(c: Context, body: object): Response {
  return c.body(redact(JSON.stringify(body)), 200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
}
