import { type Context, Hono } from 'hono';
import { AGENTS } from '../agents/_registry.ts';
import type { GrantFile } from '../approvals/grant-file.ts';
import { toBrief } from '../history/event-brief.ts';
import { eventDetail } from '../history/event-detail.ts';
import { itemWith } from '../history/list-calls.ts';
import { type Row, rowOf } from '../history/row.ts';
import { search } from '../history/search.ts';
import { rowsFound } from '../history/search-rows.ts';
import { openHomeGrants } from '../home/engine.ts';
import { HooklineError } from '../model/errors.ts';
import { redact } from '../redact/redact.ts';
import type { Database } from '../store/driver.ts';
import { countEvents, findEvent, listEvents } from '../store/queries.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { type ApiEnv, guarded } from './guard.ts';
import { createRuleTally } from './rule-tally.ts';
import type { Daemon } from './run.ts';
import { unlockedUntil } from './unlock.ts';
import { createAgentHealth } from './web-agents.ts';
import { latestLatencies, recentSessions, sessionView } from './web-reads.ts';
import { viewRules } from './web-rules.ts';
import type { EventView, Found, Overview } from './web-shapes.ts';

const RECENT_EVENTS = 300;
const RECENT_SESSIONS = 40;
const LATENCIES = 1_000;
const HITS = 50;
/** A call has several observations, and each may be a hit. */
const HITS_A_CALL = 3;
/** A search does not wait for more than this to be observed first. */
const OBSERVE_MS = 200;

/** What only the dashboard asks. */
export function webApiRoutes(daemon: Daemon): Hono<ApiEnv> {
  const { db, rules, observing, paths } = daemon.home;
  const grants = openHomeGrants(paths);
  const tally = createRuleTally(db);
  const health = createAgentHealth(daemon.home);
  const api = new Hono<ApiEnv>();

  api.get('/overview', (c) => send(c, overview(daemon, grants)));
  api.get('/sessions', (c) => send(c, { sessions: recentSessions(db, numberIn(c.req.query('limit'), 200)) }));
  api.get('/sessions/:source/:id', (c) =>
    send(c, known(sessionView(db, c.req.param('source'), c.req.param('id')), 'session')),
  );
  api.get('/events/:id', (c) => send(c, detail(db, known(findEvent(db, c.req.param('id')), 'event'))));
  api.get('/search', async (c) => {
    await observing.catchUp(OBSERVE_MS);
    return send(c, find(db, c.req.query('q') ?? '', c.req.query('source'), Date.now()));
  });
  api.get('/rules', async (c) => {
    const project = c.req.query('project') ?? null;
    return send(c, { rules: viewRules(rules.inForce(project).rules, await tally.count()) });
  });
  api.get('/rule-hits', async (c) => {
    const { latest = [] } = (await tally.count()).get(c.req.query('rule') ?? '') ?? {};
    return send(c, { rows: ruleHits(db, latest, Date.now()) });
  });
  api.get('/grants', (c) => send(c, { grants: grants.list() }));
  api.post('/grants/:id/revoke', guarded(daemon.access, 'grant'), (c) =>
    send(c, { grant: known(grants.revoke(c.req.param('id')), 'grant') }),
  );
  api.get('/health', async (c) =>
    send(c, { agents: await health(), points: latestLatencies(db, LATENCIES) }),
  );
  return api;
}

function overview({ home, hub, info }: Daemon, grants: Pick<GrantFile, 'problem'>): Overview {
  const { db, rules, hooks } = home;
  return {
    version: info.version,
    startedAt: info.startedAt,
    events: countEvents(db),
    agents: [...AGENTS.values()].map(({ id, label }) => ({ id, label })),
    problems: [...rules.inForce(null).problems, ...hooks.problems(), ...[grants.problem() ?? []].flat()].map(
      ({ where, message }) => ({
        where,
        message,
      }),
    ),
    pending: hub.approvals.queue.pending().map(hub.approvals.shown),
    unlockedUntil: unlockedUntil(hub.unlock),
    sessions: recentSessions(db, RECENT_SESSIONS),
    recent: listEvents(db, { newest: true, limit: RECENT_EVENTS }).map(toBrief),
  };
}

function find(db: Database, text: string, source: string | undefined, now: number): Found {
  const query = { text, limit: HITS * HITS_A_CALL, ...(source ? { source } : {}) };
  const hits = rowsFound(db, search(db, query, now), now)
    .slice(0, HITS)
    .map(({ row: call, hit }) => {
      const { sessionId, eventId, row, timestamp, promptNumber, snippet, observation } = hit;
      const found = { source: hit.source, sessionId, eventId, row, timestamp, promptNumber, snippet };
      return { ...found, kind: observation.kind, call };
    });
  return { hits };
}

function detail(db: Database, event: StoredEvent): EventView {
  const brief = toBrief(event);
  const story = rowOf(itemWith(db, brief, Date.now()) ?? { kind: 'event', event: brief });
  return { ...eventDetail(event, AGENTS), story };
}

/** The calls in which a rule had a part, the newest first, each once. */
function ruleHits(db: Database, ids: readonly string[], now: number): readonly Row[] {
  const rows = ids.flatMap((id) => {
    const event = findEvent(db, id);
    const item = event && itemWith(db, toBrief(event), now);
    return item ? [rowOf(item)] : [];
  });
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}

function known<T>(found: T | null, what: string): T {
  if (found === null) throw new HooklineError('NOT_FOUND', `There is no such ${what}.`);
  return found;
}

function numberIn(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? Math.min(number, 1_000) : otherwise;
}

/** What people see has been redacted, like all that leaves us. */
function send(c: Context, body: object): Response {
  return c.body(redact(JSON.stringify(body)), 200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
}
