import { Hono } from 'hono';
import { HooklineError } from '../model/errors.ts';
import { countEvents, findEvent, listEvents } from '../store/queries.ts';
import type { Daemon } from './run.ts';

/** What the command line, the terminal UI and the dashboard ask the daemon. */
export function apiRoutes(daemon: Daemon): Hono {
  const { db, rules } = daemon.home;
  const api = new Hono();
  api.get('/status', (c) => {
    const ruleCount = rules.rules().length;
    return c.json({
      daemon: daemon.info,
      events: countEvents(db),
      rules: ruleCount,
      ruleProblems: rules.problems(),
    });
  });
  api.get('/events', (c) => {
    daemon.home.ingest();
    return c.json(listEvents(db, filterOf(c.req.query())));
  });
  api.get('/events/:id', (c) => {
    daemon.home.ingest();
    const event = findEvent(db, c.req.param('id'));
    if (!event) throw new HooklineError('NOT_FOUND', `There is no event ${c.req.param('id')}.`);
    return c.json(event);
  });
  api.post('/shutdown', (c) => {
    setImmediate(() => void daemon.stop());
    return c.json({ stopping: true });
  });
  return api;
}

function filterOf(query: Record<string, string>): { session?: string; limit?: number; afterRow?: number } {
  const limit = Number(query.limit);
  const afterRow = Number(query.after);
  return {
    ...(query.session ? { session: query.session } : {}),
    ...(query.limit && Number.isInteger(limit) ? { limit } : {}),
    ...(query.after && Number.isInteger(afterRow) ? { afterRow } : {}),
  };
}
