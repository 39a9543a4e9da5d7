import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import { type Approval, SCOPES } from '../approvals/approval.ts';
import { hookStatus } from '../hooks/status.ts';
import { HooklineError } from '../model/errors.ts';
import { redact } from '../observe/redact.ts';
import { recentApprovals } from '../store/approvals.ts';
import { compact, forget, prune, usedBytes } from '../store/forget.ts';
import { countEvents } from '../store/queries.ts';
import type { Daemon } from './run.ts';

const answer = v.strictObject({
  decision: v.picklist(['allow', 'deny']),
  message: v.exactOptional(v.string()),
  halt: v.exactOptional(v.boolean()),
  input: v.exactOptional(v.record(v.string(), v.unknown())),
  answers: v.exactOptional(v.record(v.string(), v.array(v.string()))),
  scope: v.exactOptional(v.picklist(SCOPES)),
  /** Who answers, and from where. */
  by: v.optional(v.string(), 'somebody'),
});

/** "Keep going" with a message, and gates to leave standing or to open. */
const gate = v.strictObject({
  message: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  untested: v.exactOptional(v.boolean()),
  dirty: v.exactOptional(v.boolean()),
});

const RECENT = 50;
/** Well within the time that a client waits for an answer. */
const OBSERVE_MS = 2_000;

const forgotten = v.union([
  v.strictObject({ session: v.string() }),
  v.strictObject({ project: v.string() }),
  v.strictObject({ match: v.string() }),
]);

/** What the command line, the terminal UI and the dashboard ask the daemon. */
export function apiRoutes(daemon: Daemon): Hono {
  const { db, rules, hooks } = daemon.home;
  const { people } = daemon.hub;
  const api = new Hono();
  api.get('/status', (c) => {
    const { rules: held, problems } = rules.inForce(null);
    const surfaces = people.surfaces();
    return c.json({
      daemon: daemon.info,
      events: countEvents(db),
      rules: held.length,
      ruleProblems: problems,
      hooks: hooks.known().map((hook) => hookStatus(hook, hooks.ward.of(hook))),
      hookProblems: hooks.problems(),
      surfaces,
    });
  });
  api.post('/ingest', (c) => c.json({ taken: daemon.hub.ingest() }));
  api.post('/observe', async (c) => c.json({ done: await daemon.home.observing.catchUp(OBSERVE_MS) }));
  api.post('/forget', async (c) => {
    const parsed = v.safeParse(forgotten, await c.req.json());
    if (!parsed.success)
      throw new HooklineError('USAGE', 'A session, a project or a match is to be forgotten.');
    const gone = forget(db, parsed.output);
    compactLater();
    return c.json({ ...gone });
  });
  api.post('/prune', (c) => {
    const gone = prune(db, daemon.home.config.retention, Date.now());
    compactLater();
    return c.json({ ...gone, bytes: usedBytes(db) });
  });
  api.post('/shutdown', (c) => {
    setImmediate(() => void daemon.stop());
    return c.json({ stopping: true });
  });
  api.get('/approvals', (c) =>
    send(c, { pending: people.desk.pending(), recent: recentApprovals(db, RECENT) }),
  );
  api.post('/approvals/:id', async (c) => {
    const parsed = v.safeParse(answer, await c.req.json());
    if (!parsed.success) throw new HooklineError('USAGE', `That is no answer: ${parsed.issues[0].message}`);
    const { by, ...given } = parsed.output;
    const state = given.decision === 'allow' ? 'allowed' : 'denied';
    const { ok, approval } = people.desk.settle(fullId(c.req.param('id')), { state, answer: given, by });
    if (!approval) throw new HooklineError('NOT_FOUND', `There is no approval ${c.req.param('id')}.`);
    return send(c, { ok, approval });
  });

  api.post('/sessions/:source/:id/gate', async (c) => {
    const parsed = v.safeParse(gate, await c.req.json());
    if (!parsed.success) throw new HooklineError('USAGE', `That is no gate: ${parsed.issues[0].message}`);
    const { source, id } = c.req.param();
    const { message, untested, dirty } = parsed.output;
    if (message !== undefined) people.gates.keepGoing(source, id, message);
    const before = people.gates.standing(source, id);
    people.gates.stand(source, id, { untested: untested ?? before.untested, dirty: dirty ?? before.dirty });
    return c.json({ standing: people.gates.standing(source, id) });
  });

  /** After the answer: it takes longer than a client waits. Calls that come meanwhile are judged by their forwarders. */
  function compactLater(): void {
    setImmediate(() => {
      try {
        compact(db);
      } catch (error) {
        daemon.home.log('error', `the history could not be compacted: ${error}`);
      }
    });
  }

  /** The beginning of an id is enough while it fits one. */
  function fullId(given: string): string {
    const fitting = people.desk.pending().filter(({ id }) => id.startsWith(given));
    return fitting.length === 1 ? (fitting[0]?.id ?? given) : given;
  }
  return api;
}

/** What people see has been redacted, like all that leaves us. */
function send(
  c: Context,
  body: { readonly [key: string]: Approval | readonly Approval[] | boolean },
): Response {
  return c.body(redact(JSON.stringify(body)), 200, { 'content-type': 'application/json' });
}
