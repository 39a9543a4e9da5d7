import type { Context } from 'hono';
import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';

/** The body of a request, as this schema has it. Throws USAGE; what is not JSON is as wrong as what does not fit. */
export async function readBody<T>(c: Context, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const parsed = v.safeParse(schema, await c.req.json().catch(() => null));
  if (!parsed.success) throw new HooklineError('USAGE', `Invalid request: ${parsed.issues[0].message}`);
  return parsed.output;
}
