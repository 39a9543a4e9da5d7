import { Hono } from 'hono';
import type { ApiEnv } from '../http/guard.ts';
import type { Daemon } from '../run-daemon.ts';

/** The machine's work in its fleet. Joining and leaving change the settings, which only a person may do. */
export function fleetRoutes({ fleet, hub }: Daemon): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  api.get('/fleet', (c) => c.json(fleet.status()));
  api.get('/fleet/machines', async (c) => c.json({ machines: await hub.approvals.remote.machines() }));
  api.post('/fleet/reload', async (c) => {
    await fleet.reload();
    return c.json(fleet.status());
  });
  return api;
}
