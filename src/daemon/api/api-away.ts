import { Hono } from 'hono';
import * as v from 'valibot';
import { awaySummary } from '../../history/sessions/away-summary.ts';
import type { OpenHome } from '../../home/open.ts';
import { HooklineError } from '../../model/errors.ts';
import type { Access } from '../../model/people/access.ts';
import type { Away, AwayPeriod } from '../away.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import { readBody } from '../http/read-body.ts';
import { sendRedacted } from '../http/send-redacted.ts';

const going = v.strictObject({ until: v.nullable(v.pipe(v.number(), v.integer())) });

/** Only a person can switch away mode; its summary is open to any caller. */
export function awayRoutes({ db, log }: OpenHome, away: Away, access: Access): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  const summaryOf = (period: AwayPeriod | null) =>
    period && awaySummary(db, period.since, period.until, Date.now());
  api.get('/away', (c) => sendRedacted(c, { away: away.now(), summary: summaryOf(away.last()) }));
  api.post('/away', guarded(access, 'away'), async (c) => {
    const { until } = await readBody(c, going);
    if (until !== null && until <= Date.now()) throw new HooklineError('USAGE', 'That time has passed.');
    const state = away.begin(until, c.var.by);
    log('info', `away mode is on until ${state.until ?? 'away mode ended'}`, { by: c.var.by });
    return c.json({ away: state });
  });
  api.post('/back', guarded(access, 'away'), (c) => {
    const wasAway = away.now() !== null;
    away.end();
    if (wasAway) log('info', 'away mode is off', { by: c.var.by });
    return sendRedacted(c, { wasAway, summary: summaryOf(away.last()) });
  });
  return api;
}
