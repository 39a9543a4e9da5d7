import { type Context, Hono } from 'hono';
import * as v from 'valibot';
import {
  type Approval,
  HANDED_BACK,
  type Reply,
  SCOPES,
  type Settlement,
  type ShownApproval,
} from '../../approvals/approval.ts';
import type { Device } from '../../approvals/device.ts';
import { canSeeProject, limitProblem, limitText } from '../../approvals/limits.ts';
import { HooklineError } from '../../model/errors.ts';
import type { Access } from '../../model/people/access.ts';
import { redact } from '../../redact/redact.ts';
import type { Database } from '../../store/database/driver.ts';
import { recentApprovals } from '../../store/read/approvals.ts';
import type { Approvals } from '../approvals.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';

const answer = v.strictObject({
  /** `none` leaves the decision to the agent's own prompt. */
  decision: v.picklist(['allow', 'deny', 'none']),
  message: v.exactOptional(v.string()),
  halt: v.exactOptional(v.boolean()),
  input: v.exactOptional(v.record(v.string(), v.unknown())),
  answers: v.exactOptional(v.record(v.string(), v.array(v.string()))),
  scope: v.exactOptional(v.picklist(SCOPES)),
  /** Where it is answered, for display. */
  surface: v.optional(v.string(), ''),
});

/** "Keep going" with a message, and gates to keep or to open. */
const gate = v.strictObject({
  message: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  untested: v.exactOptional(v.boolean()),
  dirty: v.exactOptional(v.boolean()),
});

const RECENT = 50;

/** Pending approvals, their answers, and the gates of a session. */
export function approvalRoutes(
  db: Database,
  { queue, gates, shown, remote }: Approvals,
  access: Access,
  isAway: () => boolean = () => false,
): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  const seenBy = (c: Context<ApiEnv>, approvals: readonly Approval[]) => {
    const { device } = c.var;
    return device ? approvals.filter(({ projectId }) => canSeeProject(device, projectId)) : approvals;
  };
  // Approvals of other machines are only for the user of this machine, not for devices.
  const there = (c: Context<ApiEnv>) => (c.var.device ? [] : remote.list());
  api.get('/approvals', (c) =>
    send(c, {
      pending: [...seenBy(c, queue.pending()).map(shown), ...there(c)],
      recent: seenBy(c, recentApprovals(db, RECENT)).map(shown),
    }),
  );
  api.post('/approvals/:id', guarded(access, 'answer'), async (c) => {
    const parsed = v.safeParse(answer, await c.req.json());
    if (!parsed.success) throw new HooklineError('USAGE', `Invalid answer: ${parsed.issues[0].message}`);
    const { surface, decision, ...given } = parsed.output;
    const id = fullId([...seenBy(c, queue.pending()), ...there(c)], c.req.param('id'));
    const reply = decision === 'none' ? HANDED_BACK : { decision, ...given };
    // A device already has its name and needs no other.
    const by = surface === '' || c.var.device ? c.var.by : `${c.var.by} (${surface})`;
    const waiting = queue.find(id) === null ? there(c).find((one) => one.id === id) : undefined;
    if (waiting) return send(c, { ...(await remote.answer(waiting, reply, by)) });
    const limits = c.var.device && limitedBy(c.var.device, isAway());
    assertWithinLimits(limits, queue.find(id), reply);
    const { ok, approval } = queue.settle(id, settlementOf(reply, by));
    if (!approval) throw new HooklineError('NOT_FOUND', `Unknown approval ${c.req.param('id')}.`);
    return send(c, { ok, approval: shown(approval) });
  });
  api.post('/sessions/:source/:id/gate', guarded(access, 'answer'), async (c) => {
    const parsed = v.safeParse(gate, await c.req.json());
    if (!parsed.success) throw new HooklineError('USAGE', `Invalid gate: ${parsed.issues[0].message}`);
    const { source, id } = c.req.param();
    const { message, untested, dirty } = parsed.output;
    if (message !== undefined) gates.keepGoing(source, id, message);
    const before = gates.standing(source, id);
    gates.stand(source, id, { untested: untested ?? before.untested, dirty: dirty ?? before.dirty });
    return c.json({ standing: gates.standing(source, id) });
  });
  return api;
}

function settlementOf(reply: Reply, by: string): Settlement {
  return reply.decision === 'none'
    ? { state: 'withdrawn', by: `${by}, who handed it back to the agent` }
    : { state: reply.decision === 'allow' ? 'allowed' : 'denied', answer: reply, by };
}

/** In away mode, an answer from a device applies once at most. */
function limitedBy(device: Device, isAway: boolean): Device {
  return isAway && device.only === 'any' ? { ...device, only: 'once' } : device;
}

/** A device may only answer approvals that it sees, within its limits. */
function assertWithinLimits(device: Device | undefined, approval: Approval | null, reply: Reply): void {
  if (!device) return;
  if (approval === null || !canSeeProject(device, approval.projectId))
    throw new HooklineError('NOT_FOUND', 'Unknown approval.');
  const problem = limitProblem(device, approval, reply);
  if (problem !== null)
    throw new HooklineError('NOT_A_PERSON', `${problem} The device ${device.name} ${limitText(device)}.`, {
      hint: 'Answer on the machine itself, or change the limit there with `hookline devices limit`.',
    });
}

/** The start of an ID is enough if it is unique. */
function fullId(pending: readonly Approval[], given: string): string {
  const fitting = pending.filter(({ id }) => id.startsWith(given));
  return fitting.length === 1 ? (fitting[0]?.id ?? given) : given;
}

/** Users see redacted text, like everything that leaves the daemon. */
function send(
  c: Context,
  body: { readonly [key: string]: ShownApproval | readonly ShownApproval[] | boolean },
): Response {
  return c.body(redact(JSON.stringify(body)), 200, { 'content-type': 'application/json' });
}
