import { randomBytes } from 'node:crypto';
import type { Approval, ShownApproval } from '../approvals/approval.ts';
import { createApprover } from '../approvals/approver.ts';
import { createGates, type Gates } from '../approvals/gates.ts';
import { createGrantKeeper } from '../approvals/keep-grant.ts';
import { type ApprovalQueue, createApprovalQueue } from '../approvals/queue.ts';
import { createRuns, type Runs } from '../approvals/runs.ts';
import { grantSurroundings, openHomeGrants, worldOf } from '../home/engine.ts';
import type { OpenHome } from '../home/open.ts';
import type { Approver } from '../model/deciding.ts';
import { redact } from '../redact/redact.ts';
import { createSessionMemory, type SessionMemory } from '../rules/memory.ts';
import { createApprovalStore } from '../store/approvals.ts';
import { channelsOf, createNotifier, type Notifier } from './notify/notifier.ts';
import { createShown } from './shown-approval.ts';

/** Where users answer, and who of them is there. */
export interface Approvals {
  readonly queue: ApprovalQueue;
  readonly approver: Approver;
  readonly gates: Gates;
  /** The runs of `hookline exec`. */
  readonly runs: Runs;
  /** What the rules and the gates remember of sessions. */
  readonly memory: SessionMemory;
  readonly notifier: Notifier;
  /** An approval as surfaces get it. */
  readonly shown: (approval: Approval) => ShownApproval;
  /** A surface on which somebody can answer was opened. Returns the way to close it. */
  attach(): () => void;
  surfaces(): number;
}

export function openApprovals({ db, config, paths, log, rules }: OpenHome): Approvals {
  const queue = createApprovalQueue(createApprovalStore(db, redact), { now: Date.now, after });
  const grants = openHomeGrants(paths);
  for (const { id, text } of grants.outdated())
    log('warning', `grant ${id} is not applied: it covers more than one call`, { text });
  const broken = grants.problem();
  if (broken) log('error', `${broken.where} ${broken.message}`);
  const keep = createGrantKeeper(grants, grantSurroundings());
  queue.subscribe((approval) => {
    const problem = keep(approval);
    if (problem) log('warning', `no grant was made: ${problem}`, { approval: approval.id });
  });
  const memory = createSessionMemory();
  const world = worldOf();
  const gates = createGates({
    untested: (event) => memory.changedSinceTest(event),
    dirty: ({ cwd }) => cwd !== null && world.treeOf(cwd) === 'dirty',
  });
  const notifier = openNotifier({ config, log });
  queue.subscribe(notifier.approval);
  const surfaces = createSurfaces(() => {
    // With nobody left to answer, the agents' own prompts come up at once.
    if (config.approvals.hold === 'surface')
      queue.withdraw((approval) => !approver.waitsAlone(approval), 'the last surface was closed');
  });
  const runs = createRuns();
  const approver = openApprover(queue, runs, config, () => surfaces.count() > 0);
  return {
    queue,
    approver,
    gates,
    runs,
    memory,
    notifier,
    shown: createShown(db, rules),
    attach: surfaces.attach,
    surfaces: surfaces.count,
  };
}

function openApprover(
  queue: ApprovalQueue,
  runs: Runs,
  config: OpenHome['config'],
  isSurfaceOpen: () => boolean,
): ReturnType<typeof createApprover> {
  return createApprover({
    queue,
    runOf: ({ workflowId }) => runs.policyOf(workflowId),
    newId: () => randomBytes(4).toString('hex'),
    now: Date.now,
    attended: () => {
      const { hold } = config.approvals;
      return hold === 'always' || (hold === 'surface' && isSurfaceOpen());
    },
    get waitMs() {
      return config.approvals.waitSeconds * 1000;
    },
    get onExpiry() {
      return config.approvals.onExpiry;
    },
  });
}

function openNotifier({ config: { notify }, log }: Pick<OpenHome, 'config' | 'log'>) {
  return createNotifier({
    channels: channelsOf(notify),
    on: notify.on,
    quiet: notify.quiet,
    redact,
    now: () => new Date(),
    failed: (message) => log('warning', `a notification was not sent: ${message}`),
  });
}

/** The places on which somebody can answer now. */
function createSurfaces(onLastClosed: () => void): { attach(): () => void; count(): number } {
  const open = new Set<symbol>();
  return {
    attach() {
      const surface = Symbol('surface');
      open.add(surface);
      return () => {
        open.delete(surface);
        if (open.size === 0) onLastClosed();
      };
    },
    count: () => open.size,
  };
}

function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
