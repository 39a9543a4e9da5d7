import { Hono } from 'hono';
import * as v from 'valibot';
import { ON_PERMISSION, ON_QUESTION, type Runs } from '../../approvals/runs.ts';
import type { ApiEnv } from '../http/guard.ts';
import { readBody } from '../http/read-body.ts';

const policy = v.strictObject({
  onPermission: v.picklist(ON_PERMISSION),
  onQuestion: v.picklist(ON_QUESTION),
  /** The surrounding run. */
  within: v.nullable(v.string()),
});

/** Runs of `hookline exec`. Anyone may start one: a run allows nothing, and only a person answers approvals. */
export function runRoutes(runs: Runs): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  api.post('/runs', async (c) => {
    const { within, ...given } = await readBody(c, policy);
    return c.json({ id: runs.start(given, within) });
  });
  return api;
}
