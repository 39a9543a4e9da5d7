import { type Context, Hono } from 'hono';
import { AGENTS } from '../../agents/_registry.ts';
import type { Approval } from '../../approvals/approval.ts';
import type { Device } from '../../approvals/device.ts';
import type { GrantFile } from '../../approvals/grant-file.ts';
import { canSeeProject } from '../../approvals/limits.ts';
import { toBrief } from '../../history/calls/event-brief.ts';
import { eventDetail } from '../../history/calls/event-detail.ts';
import { itemWith } from '../../history/calls/list-calls.ts';
import { type Row, rowOf } from '../../history/calls/row.ts';
import { search } from '../../history/search/search.ts';
import { rowsFound } from '../../history/search/search-rows.ts';
import { createSessionCards } from '../../history/sessions/cards.ts';
import { openHomeGrants } from '../../home/engine.ts';
import { HooklineError } from '../../model/errors.ts';
import { idToday } from '../../rules/gone.ts';
import type { Database } from '../../store/database/driver.ts';
import { usedBytes } from '../../store/database/size.ts';
import { countEvents, findEvent, type StoredSession } from '../../store/read/queries.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import { sendRedacted } from '../http/send-redacted.ts';
import type { Daemon } from '../run-daemon.ts';
import { unlockedUntil } from '../unlock.ts';
import { createAgentHealth } from './agents.ts';
import { fleetViewRoutes } from './fleet.ts';
import { latencyView, RANGES, type Range } from './latency.ts';
import { createLearning } from './proposals.ts';
import { branchOfSession, recentEvents, recentSessions, sessionsOf, sessionView } from './reads.ts';
import { ruleApiRoutes, viewPacks } from './rule-api.ts';
import { createRuleTally } from './rule-tally.ts';
import { agentsHere, viewRules } from './rules.ts';
import type { AgentView, EventView, Found, HealthView, Overview } from './shapes.ts';

const RECENT_EVENTS = 600;
const DAY_MS = 86_400_000;
const RECENT_SESSIONS = 40;
const HITS = 150;
/** The best matches of each turn. */
const HITS_OF_TURN = 3;
/** A search does not wait for more than this to be observed first. */
const OBSERVE_MS = 200;

/** What only the dashboard asks. */
export function webApiRoutes(daemon: Daemon): Hono<ApiEnv> {
  const { db, rules, observing, paths } = daemon.home;
  const grants = openHomeGrants(paths);
  const tally = createRuleTally(db);
  const health = createAgentHealth(daemon.home);
  const cards = createSessionCards(db);
  const learning = createLearning(db, grants);
  const api = new Hono<ApiEnv>();

  api.get('/overview', (c) => sendRedacted(c, overview(daemon, grants, c.var.device ?? null)));
  api.get('/sessions', (c) => {
    const sessions = cards(sessionFilter(c), waitsIn(daemon), Date.now()).filter(seenBy(c));
    return sendRedacted(c, { sessions: sessions.map((one) => ({ ...one, branch: branchOfSession(one) })) });
  });
  api.get('/recent-sessions', (c) =>
    sendRedacted(c, { sessions: recentSessions(db, RECENT_SESSIONS, c.var.device?.projects ?? null) }),
  );
  api.get('/sessions/:source/:id', (c) =>
    sendRedacted(c, known(sessionView(db, c.req.param('source'), c.req.param('id'), seenBy(c)), 'session')),
  );
  api.get('/events/:id', (c) => {
    const event = known(findEvent(db, c.req.param('id')), 'event');
    return sendRedacted(c, detail(db, known(seenBy(c)(event) ? event : null, 'event')));
  });
  api.get('/search', async (c) => {
    await observing.catchUp(OBSERVE_MS);
    return sendRedacted(c, find(db, c.req.query('q') ?? '', c.req.query('source'), Date.now()));
  });
  api.get('/rules', async (c) => {
    const project = c.req.query('project') ?? null;
    const view = viewRules(rules.inForce(project).rules, await tally.count(), agentsHere(daemon.home));
    return sendRedacted(c, { rules: view, packs: viewPacks(daemon.home.config.packs) });
  });
  api.get('/rule-hits', async (c) => {
    const { latest = [] } = (await tally.count()).get(idToday(c.req.query('rule') ?? '')) ?? {};
    return sendRedacted(c, { rows: ruleHits(db, latest, Date.now()) });
  });
  api.get('/grants', (c) => sendRedacted(c, { grants: grants.list() }));
  api.post('/grants/:id/revoke', guarded(daemon.access, 'grant'), (c) =>
    sendRedacted(c, { grant: known(grants.revoke(c.req.param('id')), 'grant') }),
  );
  api.get('/proposals', async (c) => sendRedacted(c, { proposals: await learning.list() }));
  api.post('/proposals/:id/accept', guarded(daemon.access, 'grant'), (c) =>
    sendRedacted(c, { proposal: known(learning.accept(c.req.param('id'), c.var.by), 'proposal') }),
  );
  api.get('/health', (c) => sendRedacted(c, healthOf(daemon, health(), c.req.query('range') ?? '')));
  api.route('/', ruleApiRoutes(daemon));
  api.route('/', fleetViewRoutes(daemon.fleet.view));
  return api;
}

/** What the asking device sees; all of it on this machine. */
function seenBy({ var: { device } }: Context<ApiEnv>): (of: Pick<Approval, 'projectId'>) => boolean {
  return ({ projectId }) => !device || canSeeProject(device, projectId);
}

function overview(
  { home, hub, info, fleet }: Daemon,
  grants: Pick<GrantFile, 'problem'>,
  device: Device | null,
): Overview {
  const { db, rules, hooks } = home;
  const projects = device?.projects ?? null;
  const isSeen = ({ projectId }: Pick<Approval, 'projectId'>) =>
    device === null || canSeeProject(device, projectId);
  const found = [...rules.inForce(null).problems, ...hooks.problems(), ...[grants.problem() ?? []].flat()];
  return {
    version: info.version,
    startedAt: info.startedAt,
    events: projects === null ? countEvents(db) : countIn(db, projects),
    agents: [...AGENTS.values()].map(({ id, label }) => ({ id, label })),
    // They name files of the home and of any project.
    problems: projects === null ? found.map(({ where, message }) => ({ where, message })) : [],
    pending: [
      ...hub.approvals.queue.pending().filter(isSeen).map(hub.approvals.shown),
      ...(device === null ? hub.approvals.remote.list() : []),
    ],
    unlockedUntil: unlockedUntil(hub.unlock),
    away: hub.away.now(),
    alerts: projects === null ? hub.alerts.list() : [],
    device: device && { name: device.name, only: device.only, projects },
    fleet: projects === null && fleet.status().joined,
    sessions: recentSessions(db, RECENT_SESSIONS, projects),
    recent: recentEvents(db, RECENT_EVENTS, projects),
  };
}

const countIn = (db: Database, projects: readonly string[]): number =>
  projects.reduce((sum, project) => sum + countEvents(db, { project }), 0);

function find(db: Database, text: string, source: string | undefined, now: number): Found {
  const query = { text, limit: HITS, ofTurn: HITS_OF_TURN, ...(source ? { source } : {}) };
  const rows = rowsFound(db, search(db, query, now), now);
  const hits = rows.slice(0, HITS).map(({ row: call, hit }) => {
    const { sessionId, eventId, row, timestamp, promptNumber, snippet, observation } = hit;
    const found = { source: hit.source, sessionId, eventId, row, timestamp, promptNumber, snippet };
    return { ...found, kind: observation.kind, call };
  });
  return { hits, sessions: sessionsOf(db, hits), cut: rows.length > HITS };
}

function healthOf(
  { home: { db, config }, info }: Daemon,
  agents: readonly AgentView[],
  range: string,
): HealthView {
  return {
    agents,
    latency: latencyView(db, isRange(range) ? range : '24h', Date.now()),
    daemon: { version: info.version, startedAt: info.startedAt },
    failure: config.failure,
    historyBytes: usedBytes(db),
    retentionDays: config.retention.days,
  };
}

const isRange = (name: string): name is Range => Object.hasOwn(RANGES, name);

/** How many of its calls wait for an answer here. */
function waitsIn({ hub }: Daemon): (session: StoredSession) => number {
  const pending = hub.approvals.queue.pending();
  return ({ source, sessionId }) =>
    pending.filter((one) => one.source === source && one.sessionId === sessionId).length;
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
  if (found === null) throw new HooklineError('NOT_FOUND', `Unknown ${what}.`);
  return found;
}

function sessionFilter(c: Context): { readonly limit: number; readonly since?: number } {
  const days = numberIn(c.req.query('days'), 0);
  const limit = numberIn(c.req.query('limit'), 200);
  return { limit, ...(days > 0 ? { since: Date.now() - days * DAY_MS } : {}) };
}

function numberIn(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? Math.min(number, 1_000) : otherwise;
}
