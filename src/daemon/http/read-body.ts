import type { Context } from 'hono';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';

/** The body of a request, parsed by this schema. Throws USAGE for invalid JSON as well as for invalid values. */
export async function readBody<T>(c: Context, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const parsed = v.safeParse(schema, await c.req.json().catch(() => null));
  if (!parsed.success) throw new HooklineError('USAGE', `Invalid request: ${parsed.issues[0].message}`);
  return parsed.output;
}
