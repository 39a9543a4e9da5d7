import { Hono } from 'hono';
import { messageOf } from '../../model/errors.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import type { Daemon } from '../run-daemon.ts';

const NOTICE = {
  occasion: 'turn',
  title: 'Hookline',
  text: 'This is a test. Notifications reach you here.',
} as const;

/** Sends a test notification to every channel, for a person who has just set one up. */
export function channelRoutes(daemon: Daemon): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  api.post('/channels/test', guarded(daemon.access, 'notify'), async (c) => {
    const tried = daemon.channels.map(async ({ name, tell }) => {
      const problem = await tell(NOTICE).then(() => null, messageOf);
      return { name, problem };
    });
    return c.json({ channels: await Promise.all(tried) });
  });
  return api;
}
