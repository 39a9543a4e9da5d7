import { type Approval, settle } from './approval.ts';
import type { ApprovalStore } from './queue.ts';

/** How long a call may take to ask again after its daemon was killed: longer than forwarders wait for the next one. */
export const CLAIM_MS = 30_000;

/** Approvals left by a killed daemon, and answers that may not have arrived. */
export interface Leftovers {
  /** True if an earlier daemon asked about this event and the approval is still unclaimed. */
  isLeft(eventId: string): boolean;
  /** The approval as an earlier daemon left it, if the same call asks again. It may be answered already. */
  continued(approval: Approval): Approval;
  /** Notes whether a person's answer arrived. Once it did, that is final. */
  noteDelivery(id: string, delivered: boolean): void;
}

export function createLeftovers(
  store: ApprovalStore,
  now: () => number,
  isUnclaimed: (id: string) => boolean,
): Leftovers {
  const isLeft = (known: Approval) => isUnclaimed(known.id) || isJustAnswered(known, now());
  return {
    isLeft(eventId) {
      const known = store.ofEvent(eventId);
      return known !== null && isLeft(known);
    },
    continued(approval) {
      const known = store.ofEvent(approval.eventId);
      if (known === null || !isLeft(known)) return approval;
      return isSameCall(known, store.kept(approval)) ? continuing(approval, known) : approval;
    },
    noteDelivery(id, delivered) {
      const known = store.find(id);
      if (known?.answer && !known.delivered) store.save({ ...known, delivered });
    },
  };
}

/** Approvals left by a killed process. Those that expired since are withdrawn. */
export function withoutExpired(
  store: Pick<ApprovalStore, 'save' | 'pending'>,
  now: number,
): readonly Approval[] {
  const pending = store.pending();
  for (const leftover of pending.filter(({ expiresAt }) => expiresAt <= now)) {
    const withdrawn = settle(leftover, { state: 'withdrawn', by: 'the daemon stopped' }, now);
    if (withdrawn) store.save(withdrawn);
  }
  return pending.filter(({ expiresAt }) => expiresAt > now);
}

/**
 * The answer may not have arrived. Changed arguments are stored without their secrets, so the call is asked about
 * again.
 */
function isJustAnswered({ answer, settledAt, delivered }: Approval, now: number): boolean {
  if (answer === null || delivered || answer.input || answer.answers) return false;
  return settledAt !== null && now - settledAt < CLAIM_MS;
}

/** An answer applies only to the call that it was given for. */
function isSameCall(one: Approval, other: Approval): boolean {
  const call = ({ kind, source, sessionId, agentId, tool, question }: Approval) =>
    JSON.stringify([kind, source, sessionId, agentId, tool, question]);
  return call(one) === call(other);
}

/** The current call, with everything else as it was left. */
function continuing(approval: Approval, known: Approval): Approval {
  const { id, createdAt, expiresAt, state, settledAt, settledBy, answer } = known;
  return { ...approval, id, createdAt, expiresAt, state, settledAt, settledBy, answer };
}
