import { Hono } from 'hono';
import { countEvents } from '../store/queries.ts';
import type { Daemon } from './run.ts';

/** What the command line, the terminal UI and the dashboard ask the daemon. */
export function apiRoutes(daemon: Daemon): Hono {
  const { db, rules } = daemon.home;
  const api = new Hono();
  api.get('/status', (c) => {
    const ruleCount = rules.inForce(null).rules.length;
    return c.json({
      daemon: daemon.info,
      events: countEvents(db),
      rules: ruleCount,
      ruleProblems: rules.inForce(null).problems,
    });
  });
  api.post('/ingest', (c) => c.json({ taken: daemon.hub.ingest() }));
  api.post('/shutdown', (c) => {
    setImmediate(() => void daemon.stop());
    return c.json({ stopping: true });
  });
  return api;
}
