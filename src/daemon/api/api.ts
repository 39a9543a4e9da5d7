import { Hono } from 'hono';
import * as v from 'valibot';
import { configMarks } from '../../home/config.ts';
import { recoverInto } from '../../home/recover-into.ts';
import { ruleWarnings } from '../../home/rule-warnings.ts';
import { hookStatus } from '../../hooks/status.ts';
import { HooklineError } from '../../model/errors.ts';
import { ACTIONS, isAction } from '../../model/people/access.ts';
import { usedBytes } from '../../store/database/size.ts';
import { compact, forget, prune } from '../../store/forget.ts';
import { countEvents } from '../../store/read/queries.ts';
import { deniedIn } from '../../store/read/session-brief.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import type { Daemon } from '../run-daemon.ts';
import { unlockedUntil } from '../unlock.ts';
import { approvalRoutes } from './api-approvals.ts';
import { awayRoutes } from './api-away.ts';
import { channelRoutes } from './api-channels.ts';
import { confirmRoutes } from './api-confirm.ts';
import { fleetRoutes } from './api-fleet.ts';
import { removalRoutes } from './api-removal.ts';
import { runRoutes } from './api-runs.ts';
import { unlockRoutes } from './api-unlock.ts';

/** Well within the time that a client waits for an answer. */
const OBSERVE_MS = 2_000;

const forgotten = v.union([
  v.strictObject({ session: v.string() }),
  v.strictObject({ project: v.string() }),
  v.strictObject({ match: v.string() }),
]);

/** What the command line, the terminal UI and the dashboard ask the daemon. */
export function apiRoutes(daemon: Daemon): Hono<ApiEnv> {
  const { home, hub, access } = daemon;
  const api = new Hono<ApiEnv>();
  api.get('/status', (c) => c.json(statusOf(daemon)));
  api.get('/statusline', (c) =>
    c.json({
      pending: hub.approvals.queue.pending().length,
      denied: deniedIn(home.db, c.req.query('session') ?? ''),
      unlockedUntil: unlockedUntil(hub.unlock),
    }),
  );
  api.post('/ingest', (c) => c.json({ taken: hub.ingest() }));
  api.post('/observe', async (c) => c.json({ done: await home.observing.catchUp(OBSERVE_MS) }));
  api.post('/forget', guarded(access, 'forget'), async (c) => {
    const parsed = v.safeParse(forgotten, await c.req.json());
    if (!parsed.success)
      throw new HooklineError('USAGE', 'Missing selection: a session, a project or a text.');
    const gone = forget(home.db, parsed.output, home.signer);
    home.deleted();
    compactLater(daemon);
    return c.json({ ...gone });
  });
  api.post('/prune', guarded(access, 'forget'), (c) => {
    const gone = prune(home.db, home.config.retention, Date.now(), home.signer);
    home.deleted();
    compactLater(daemon);
    return c.json({ ...gone, bytes: usedBytes(home.db) });
  });
  api.post('/recover', guarded(access, 'forget'), async (c) => {
    const parsed = v.safeParse(v.strictObject({ file: v.string() }), await c.req.json());
    if (!parsed.success) throw new HooklineError('USAGE', 'Missing file to recover.');
    return c.json({ ...recoverInto(home, parsed.output.file) });
  });
  api.post('/shutdown', guarded(access, 'stop'), (c) => {
    setImmediate(() => void daemon.stop());
    return c.json({ stopping: true });
  });
  // For what a command then does to files itself.
  for (const action of Object.keys(ACTIONS).filter(isAction))
    api.post(`/access/${action}`, guarded(access, action), (c) => c.json({ by: c.var.by }));
  api.route('/', confirmRoutes(daemon));
  api.route('/', removalRoutes(daemon));
  api.route('/', unlockRoutes(home, hub.unlock, access));
  api.route('/', awayRoutes(home, hub.away, access));
  api.route('/', channelRoutes(daemon));
  api.route('/', fleetRoutes(daemon));
  api.route('/', approvalRoutes(home.db, hub.approvals, access));
  api.route('/', runRoutes(hub.approvals.runs));
  return api;
}

function statusOf({ home: { config, db, rules, hooks }, hub, info, phone }: Daemon) {
  const inForce = rules.inForce(null);
  return {
    daemon: info,
    events: countEvents(db),
    rules: inForce.rules.length,
    ruleProblems: inForce.problems,
    ruleRemarks: ruleWarnings(inForce, config),
    hooks: hooks.known().map((hook) => hookStatus(hook, hooks.health.of(hook))),
    hookProblems: hooks.problems(),
    surfaces: hub.approvals.surfaces(),
    unlockedUntil: unlockedUntil(hub.unlock),
    away: hub.away.now(),
    alerts: hub.alerts.list(),
    unrecorded: hub.unrecorded.count(),
    phone: phone.status(),
    devices: phone.devices.list(),
    config: configMarks(config),
  };
}

/** After the answer: it takes longer than a client waits. Calls that come meanwhile are judged by their forwarders. */
function compactLater({ home }: Daemon): void {
  setImmediate(() => {
    try {
      compact(home.db);
    } catch (error) {
      home.log('error', `can't compact the history: ${error}`);
    }
  });
}
