import { randomBytes } from 'node:crypto';
import { createApprover } from '../approvals/approver.ts';
import { createDesk, type Desk } from '../approvals/desk.ts';
import { createGrantKeeper } from '../approvals/keep-grant.ts';
import { grantSurroundings } from '../engine/create.ts';
import type { Approver } from '../engine/decide.ts';
import { openGrants } from '../grants/file.ts';
import { redact } from '../observe/redact.ts';
import { createApprovalStore } from '../store/approvals.ts';
import type { OpenHome } from './open-home.ts';

/** Where people answer, and who of them is there. */
export interface People {
  readonly desk: Desk;
  readonly approver: Approver;
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
