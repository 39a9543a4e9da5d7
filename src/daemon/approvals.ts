import { randomBytes } from 'node:crypto';
import type { Approval, ShownApproval } from '../approvals/approval.ts';
import { createApprover } from '../approvals/approver.ts';
import { createGates, type Gates } from '../approvals/gates.ts';
import { createGrantKeeper } from '../approvals/keep-grant.ts';
import { type ApprovalQueue, createApprovalQueue } from '../approvals/queue.ts';
import { createRuns, type Runs } from '../approvals/runs.ts';
import { createRemoteApprovals, type RemoteApprovals } from '../fleet/approvals/elsewhere.ts';
import { grantSurroundings, openHomeGrants, worldOf } from '../home/engine.ts';
import type { OpenHome } from '../home/open.ts';
import type { Approver } from '../model/deciding.ts';
import type { HookEvent } from '../model/events.ts';
import { isQuiet } from '../notify/notice.ts';
import { redact } from '../redact/redact.ts';
import { createSessionMemory, type SessionMemory } from '../rules/session/memory.ts';
import { createApprovalStore } from '../store/record/approval-store.ts';
import { MAX_HOLD_MS } from '../wire/limits.ts';
import { createApprovalView } from './approval-view.ts';
import type { Away } from './away.ts';
import { channelsOf, createNotifier, type Notifier } from './notifier.ts';

/** The surfaces where users answer, and which of them are open. */
export interface Approvals {
  readonly queue: ApprovalQueue;
  readonly approver: Approver;
  readonly gates: Gates;
  /** The runs of `hookline exec`. */
  readonly runs: Runs;
  /** Session state of the rules and gates. */
  readonly memory: SessionMemory;
  readonly notifier: Notifier;
  /** Approvals pending on other machines of the fleet. */
  readonly remote: RemoteApprovals;
  /** An approval prepared for display. */
  readonly shown: (approval: Approval) => ShownApproval;
  /**
   * Call when a surface that can answer approvals opens. Returns the function that closes it.
   * @param sees what the surface shows; everything if omitted
   */
  attach(sees?: Sees): () => void;
  surfaces(): number;
}

type Sees = (of: { readonly projectId: string | null }) => boolean;

export function openApprovals(
  { db, config, paths, log, rules }: OpenHome,
  away: Pick<Away, 'now'>,
): Approvals {
  const queue = createApprovalQueue(createApprovalStore(db, redact), { now: Date.now, after });
  keepGrants(queue, { paths, log });
  const memory = createSessionMemory();
  const world = worldOf();
  const gates = createGates({
    untested: (event) => memory.changedSinceTest(event),
    dirty: ({ cwd }) => cwd !== null && world.treeOf(cwd) === 'dirty',
  });
  const notifier = openNotifier({ config, log }, away);
  queue.subscribe(notifier.approval);
  const holding = holdingOf(config, away);
  const surfaces: Surfaces = createSurfaces(() => {
    // Without an open surface, the agents' own prompts appear at once.
    if (holding.hold() !== 'surface') return;
    const isAlone = (approval: Approval) => !surfaces.show(approval) && !approver.waitsAlone(approval);
    queue.withdraw(isAlone, 'the dashboard and terminal UI were closed');
  });
  const runs = createRuns();
  const approver = openApprover(queue, runs, { config, holding, surfaces });
  return {
    queue,
    approver,
    gates,
    runs,
    memory,
    notifier,
    remote: createRemoteApprovals((id) => queue.find(id) !== null),
    shown: createApprovalView(db, rules),
    attach: surfaces.attach,
    surfaces: surfaces.count,
  };
}

interface ApproverParts {
  readonly config: OpenHome['config'];
  readonly holding: Holding;
  readonly surfaces: Surfaces;
}

function openApprover(
  queue: ApprovalQueue,
  runs: Runs,
  { config, holding, surfaces }: ApproverParts,
): ReturnType<typeof createApprover> {
  return createApprover({
    queue,
    runOf: ({ workflowId }) => runs.policyOf(workflowId),
    newId: () => randomBytes(4).toString('hex'),
    now: Date.now,
    attended: (event) => isAttended(holding.hold(), event, surfaces),
    get waitMs() {
      return holding.waitMs();
    },
    get onExpiry() {
      return config.approvals.onExpiry;
    },
  });
}

/** Creates grants for answers with a longer scope than once. */
function keepGrants(queue: ApprovalQueue, { paths, log }: Pick<OpenHome, 'paths' | 'log'>): void {
  const grants = openHomeGrants(paths);
  for (const { id, text } of grants.outdated())
    log('warning', `grant ${id} does not apply: it covers more than one call`, { text });
  const broken = grants.problem();
  if (broken) log('error', `${broken.where} ${broken.message}`);
  const keep = createGrantKeeper(grants, grantSurroundings());
  queue.subscribe((approval) => {
    const problem = keep(approval);
    if (problem) log('warning', `no grant was created: ${problem}`, { approval: approval.id });
  });
}

interface Holding {
  hold(): OpenHome['config']['approvals']['hold'];
  waitMs(): number;
}

/** Which approvals stay pending, and for how long. In away mode all do, for as long as the agent allows. */
function holdingOf(config: OpenHome['config'], away: Pick<Away, 'now'>): Holding {
  const isAway = () => away.now() !== null;
  return {
    hold: () => (isAway() ? 'always' : config.approvals.hold),
    waitMs: () => (isAway() ? MAX_HOLD_MS : config.approvals.waitSeconds * 1000),
  };
}

function isAttended(hold: 'surface' | 'always' | 'never', event: HookEvent, { show }: Surfaces): boolean {
  return hold === 'always' || (hold === 'surface' && show(event));
}

function openNotifier(
  { config: { notify }, log }: Pick<OpenHome, 'config' | 'log'>,
  away: Pick<Away, 'now'>,
) {
  const { on, quiet } = notify;
  return createNotifier({
    channels: channelsOf(notify),
    on,
    isQuiet: () => quiet !== null && isQuiet(quiet, new Date()),
    isAway: () => away.now() !== null,
    redact,
    failed: (message) => log('warning', `a notification was not sent: ${message}`),
  });
}

/** Open surfaces that can answer approvals. */
interface Surfaces {
  attach(sees?: Sees): () => void;
  count(): number;
  /** True if any of them shows it. */
  show: Sees;
}

function createSurfaces(onClosed: () => void): Surfaces {
  const open = new Map<symbol, Sees>();
  return {
    attach(sees = () => true) {
      const surface = Symbol('surface');
      open.set(surface, sees);
      return () => {
        open.delete(surface);
        onClosed();
      };
    },
    count: () => open.size,
    show: (one) => [...open.values()].some((sees) => sees(one)),
  };
}

function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
