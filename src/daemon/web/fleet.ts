import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import type { FleetQuery } from '../../fleet/machines/search-stream.ts';
import type { FleetView } from '../../fleet/machines/view.ts';
import { decisionSchema } from '../../model/response-schema.ts';
import type { ApiEnv } from '../http/guard.ts';
import { sendRedacted } from '../http/send-redacted.ts';

const HITS = 200;

/** Activity of all machines in the fleet, for the dashboard. A request makes the view follow the fleet. */
export function fleetViewRoutes(view: FleetView): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  api.get('/fleet/coverage', (c) => sendRedacted(c, view.machines()));
  api.get('/fleet/feed', (c) => sendRedacted(c, view.feed(placeIn(c.req.query('after')))));
  api.get('/fleet/search', async (c) => sendRedacted(c, await view.search(queryIn(c), HITS)));
  return api;
}

function placeIn(text: string | undefined): number {
  const place = Number(text);
  return Number.isSafeInteger(place) && place > 0 ? place : 0;
}

function queryIn(c: Context): FleetQuery {
  const given = (name: string) => c.req.query(name) || undefined;
  const [text, machine, agent, type] = ['text', 'machine', 'agent', 'type'].map(given);
  const decision = v.safeParse(decisionSchema, given('decision'));
  return {
    ...(text === undefined ? {} : { text }),
    ...(machine === undefined ? {} : { machine }),
    ...(agent === undefined ? {} : { agent }),
    ...(type === undefined ? {} : { type }),
    ...(decision.success ? { decision: decision.output } : {}),
  };
}
