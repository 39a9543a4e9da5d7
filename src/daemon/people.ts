import { randomBytes } from 'node:crypto';
import { createApprover } from '../approvals/approver.ts';
import { createDesk, type Desk } from '../approvals/desk.ts';
import { createGates, type Gates } from '../approvals/gates.ts';
import { createGrantKeeper } from '../approvals/keep-grant.ts';
import { grantSurroundings } from '../engine/create.ts';
import type { Approver } from '../engine/decide.ts';
import { openGrants } from '../grants/file.ts';
import { channelsOf, createNotifier, type Notifier } from '../notify/notifier.ts';
import { redact } from '../observe/redact.ts';
import { createSessionMemory, type SessionMemory } from '../rules/memory.ts';
import { realWorld } from '../rules/world.ts';
import { createApprovalStore } from '../store/approvals.ts';
import type { OpenHome } from './open-home.ts';

/** Where people answer, and who of them is there. */
export interface People {
  readonly desk: Desk;
  readonly approver: Approver;
  readonly gates: Gates;
  /** What the rules and the gates remember of sessions. */
  readonly memory: SessionMemory;
  readonly notifier: Notifier;
  /** A surface on which somebody can answer was opened. Returns the way to close it. */
  attach(): () => void;
  surfaces(): number;
}

export function openPeople({ db, config, paths, log }: OpenHome): People {
  const desk = createDesk(createApprovalStore(db, redact), { now: Date.now, after });
  const keep = createGrantKeeper(openGrants(paths.grants), grantSurroundings(paths));
  desk.subscribe((approval) => {
    const problem = keep(approval);
    if (problem) log('warning', `no grant was made: ${problem}`, { approval: approval.id });
  });
  const memory = createSessionMemory();
  const world = realWorld(paths.unlock);
  const gates = createGates({
    untested: (event) => memory.changedSinceTest(event),
    dirty: ({ cwd }) => cwd !== null && world.treeOf(cwd) === 'dirty',
  });
  const notifier = createNotifier({
    channels: channelsOf(config.notify),
    on: config.notify.on,
    quiet: config.notify.quiet,
    redact,
    now: () => new Date(),
    failed: (message) => log('warning', `a notification was not sent: ${message}`),
  });
  desk.subscribe(notifier.approval);
  const surfaces = new Set<symbol>();
  const { hold, waitSeconds, onExpiry } = config.approvals;
  const approver = createApprover({
    desk,
    newId: () => randomBytes(4).toString('hex'),
    now: Date.now,
    attended: () => hold === 'always' || (hold === 'surface' && surfaces.size > 0),
    waitMs: waitSeconds * 1000,
    onExpiry,
  });
  return {
    desk,
    approver,
    gates,
    memory,
    notifier,
    attach() {
      const surface = Symbol('surface');
      surfaces.add(surface);
      return () => {
        surfaces.delete(surface);
        // With nobody left to answer, the agents' own prompts come up at once.
        if (hold === 'surface' && surfaces.size === 0)
          desk.withdraw(() => true, 'the last surface was closed');
      };
    },
    surfaces: () => surfaces.size,
  };
}

function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
