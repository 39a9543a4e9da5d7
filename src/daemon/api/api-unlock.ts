import { Hono } from 'hono';
import * as v from 'valibot';
import type { OpenHome } from '../../home/open.ts';
import { HooklineError } from '../../model/errors.ts';
import type { Access } from '../../model/people/access.ts';
import { MOST_UNLOCK_MINUTES } from '../../model/people/unlocked.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import { type Unlock, unlockedUntil } from '../unlock.ts';

const unlocking = v.strictObject({
  minutes: v.pipe(v.number(), v.gtValue(0), v.maxValue(MOST_UNLOCK_MINUTES)),
});

/** Only a person can pause protected rules; anyone may protect them again. */
export function unlockRoutes({ log }: OpenHome, unlock: Unlock, access: Access): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  api.post('/unlock', guarded(access, 'unlock'), async (c) => {
    const parsed = v.safeParse(unlocking, await c.req.json());
    if (!parsed.success)
      throw new HooklineError('USAGE', `minutes takes a number up to ${MOST_UNLOCK_MINUTES}.`);
    unlock.open(parsed.output.minutes);
    const until = unlockedUntil(unlock);
    log('warning', `protected rules are paused until ${until}`, { by: c.var.by });
    return c.json({ unlockedUntil: until });
  });
  api.post('/lock', (c) => {
    unlock.close();
    log('info', 'protected rules apply again');
    return c.json({ unlockedUntil: null });
  });
  return api;
}
