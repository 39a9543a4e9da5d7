import { Hono } from 'hono';
import * as v from 'valibot';
import { changeRecord } from '../../access/record.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import { readBody } from '../http/read-body.ts';
import type { Daemon } from '../run-daemon.ts';

const removed = v.strictObject({ agent: v.string() });

/** A command that takes hooks out of an agent tells the daemon, which would otherwise report them as lost. */
export function removalRoutes({ hub, access }: Pick<Daemon, 'hub' | 'access'>): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  api.post('/removed', guarded(access, 'remove'), async (c) => {
    const agent = AGENTS.get((await readBody(c, removed)).agent);
    if (!agent) return c.json({}, 404);
    hub.guardWatch.removed(agent);
    hub.note(changeRecord('remove', c.var.by, `removed Hookline's hooks from ${agent.label}`));
    return c.json({});
  });
  return api;
}
