import { CLAIM_MS, createLeftovers, type Leftovers, withoutExpired } from './answers-in-doubt.ts';
import { type Approval, type Settlement, settle } from './approval.ts';

/** Storage of approvals. */
export interface ApprovalStore {
  save(approval: Approval): void;
  find(id: string): Approval | null;
  pending(): readonly Approval[];
  /** The newest approval of an event. */
  ofEvent(eventId: string): Approval | null;
  /** The stored form, without secrets. */
  kept(approval: Approval): Approval;
}

/** Schedules callbacks that can be cancelled. */
export interface Timers {
  now(): number;
  after(ms: number, work: () => void): () => void;
}

type SettleResult =
  | { readonly ok: true; readonly approval: Approval }
  /** Another answer came first, or there is no such approval. */
  | { readonly ok: false; readonly approval: Approval | null };

/** The single owner of approvals. The first answer wins, from any surface. */
export interface ApprovalQueue extends Leftovers {
  /** Waits until the approval ends. */
  ask(approval: Approval): Promise<Approval>;
  settle(id: string, settlement: Settlement): SettleResult;
  /** The agent has moved on, so no answer is needed. */
  withdraw(matches: (approval: Approval) => boolean, why: string): void;
  pending(): readonly Approval[];
  find(id: string): Approval | null;
  /** Called for every new approval and when one ends. */
  subscribe(listener: (approval: Approval) => void): () => void;
}

interface Entry {
  readonly approval: Approval;
  readonly done: (approval: Approval) => void;
  readonly stopTimer: () => void;
  readonly isClaimed: boolean;
}

export function createApprovalQueue(store: ApprovalStore, timers: Timers): ApprovalQueue {
  const waiting = new Map<string, Entry>();
  const listeners = new Set<(approval: Approval) => void>();
  const tell = (approval: Approval) => listeners.forEach((listener) => void listener(approval));

  function end(id: string, settlement: Settlement): SettleResult {
    const entry = waiting.get(id);
    if (!entry) return { ok: false, approval: store.find(id) };
    const settled = settle(entry.approval, settlement, timers.now());
    if (!settled) return { ok: false, approval: entry.approval };
    store.save(settled);
    waiting.delete(id);
    entry.stopTimer();
    entry.done(settled);
    tell(settled);
    return { ok: true, approval: settled };
  }

  for (const approval of withoutExpired(store, timers.now())) {
    const unclaimed: Settlement = { state: 'withdrawn', by: 'the daemon stopped' };
    const stopTimer = timers.after(CLAIM_MS, () => end(approval.id, unclaimed));
    waiting.set(approval.id, { approval, done: () => {}, stopTimer, isClaimed: false });
  }

  return {
    ...createLeftovers(store, timers.now, (id) => waiting.get(id)?.isClaimed === false),
    ask(approval) {
      waiting.get(approval.id)?.stopTimer();
      store.save(approval);
      return new Promise((done) => {
        const left = Math.max(0, approval.expiresAt - timers.now());
        const stopTimer = timers.after(left, () => end(approval.id, { state: 'expired', by: 'time' }));
        waiting.set(approval.id, { approval, done, stopTimer, isClaimed: true });
        tell(approval);
      });
    },
    settle: end,
    withdraw(matches, why) {
      for (const { approval } of [...waiting.values()]) {
        if (matches(approval)) end(approval.id, { state: 'withdrawn', by: why });
      }
    },
    pending: () => [...waiting.values()].map(({ approval }) => approval),
    find: (id) => waiting.get(id)?.approval ?? store.find(id),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
