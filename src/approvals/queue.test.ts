import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { card } from '../../test/support/approvals.ts';
import { CLAIM_MS } from './answers-in-doubt.ts';
import { type Approval, responseTo, type Settlement, settlementText } from './approval.ts';
import { type ApprovalStore, createApprovalQueue, type Timers } from './queue.ts';

function memoryStore(): ApprovalStore & { all: Map<string, Approval> } {
  const all = new Map<string, Approval>();
  return {
    all,
    save: (approval) => all.set(approval.id, approval),
    find: (id) => all.get(id) ?? null,
    pending: () => [...all.values()].filter(({ state }) => state === 'pending'),
    ofEvent: (eventId) => [...all.values()].findLast((one) => one.eventId === eventId) ?? null,
    kept: (approval) => approval,
  };
}

/** A clock that the test controls. */
function handTimers(): Timers & { pass(ms: number): void } {
  let time = 0;
  let set: { at: number; work: () => void }[] = [];
  return {
    now: () => time,
    after(ms, work) {
      const timer = { at: time + ms, work };
      set.push(timer);
      return () => {
        set = set.filter((one) => one !== timer);
      };
    },
    pass(ms) {
      time += ms;
      const due = set.filter(({ at }) => at <= time);
      set = set.filter(({ at }) => at > time);
      for (const { work } of due) work();
    },
  };
}

const allowed: Settlement = { state: 'allowed', answer: { decision: 'allow' }, by: 'ann' };
const denied: Settlement = { state: 'denied', answer: { decision: 'deny', message: 'no' }, by: 'bob' };

test('the first answer wins, and the second learns who was faster', async () => {
  const queue = createApprovalQueue(memoryStore(), handTimers());
  const end = queue.ask(card('a'));
  expect(queue.settle('a', denied)).toMatchObject({
    ok: true,
    approval: { state: 'denied', settledBy: 'bob' },
  });
  expect(queue.settle('a', allowed)).toMatchObject({
    ok: false,
    approval: { state: 'denied', settledBy: 'bob' },
  });
  expect(await end).toMatchObject({ state: 'denied', answer: { message: 'no' } });
  expect(queue.pending()).toEqual([]);
});

test("expiry ends it, and a later answer doesn't count", async () => {
  const timers = handTimers();
  const queue = createApprovalQueue(memoryStore(), timers);
  const end = queue.ask(card('a'));
  timers.pass(1000);
  expect(await end).toMatchObject({ state: 'expired', answer: null });
  expect(queue.settle('a', allowed)).toMatchObject({ ok: false, approval: { state: 'expired' } });
});

describe('after the process was killed', () => {
  /** A queue over the state of a killed process that asked about card a, and the time since. */
  function left(more: Partial<Approval> = {}) {
    const store = memoryStore();
    void createApprovalQueue(store, handTimers()).ask(card('a', { expiresAt: 60_000, ...more }));
    const timers = handTimers();
    return { timers, queue: createApprovalQueue(store, timers) };
  }
  const again = (more: Partial<Approval> = {}) =>
    card('b', { eventId: 'event-a', expiresAt: 90_000, ...more });

  test('the same call continues to wait for the same approval', async () => {
    const { queue } = left();
    expect(queue.pending()).toMatchObject([{ id: 'a' }]);
    expect(queue.isLeft('event-a')).toBe(true);
    const next = queue.continued(again());
    expect(next).toMatchObject({ id: 'a', expiresAt: 60_000, state: 'pending' });
    const end = queue.ask(next);
    expect(queue.isLeft('event-a')).toBe(false);
    expect(queue.settle('a', denied).ok).toBe(true);
    expect(await end).toMatchObject({ id: 'a', state: 'denied' });
  });

  test('an answer given before the call asks again applies to it, and to no other call', () => {
    const { queue } = left();
    queue.settle('a', allowed);
    expect(queue.isLeft('event-a')).toBe(true);
    expect(queue.continued(again())).toMatchObject({ id: 'a', state: 'allowed', settledBy: 'ann' });
    expect(queue.continued(again({ sessionId: 'other' }))).toMatchObject({ id: 'b', state: 'pending' });
  });

  test("withdraws an unclaimed approval, and doesn't keep an answer for long", () => {
    const unclaimed = left();
    unclaimed.timers.pass(CLAIM_MS);
    expect(unclaimed.queue.find('a')).toMatchObject({ state: 'withdrawn', settledBy: 'the daemon stopped' });
    const answered = left();
    answered.queue.settle('a', allowed);
    answered.timers.pass(CLAIM_MS);
    expect(answered.queue.continued(again())).toMatchObject({ id: 'b', state: 'pending' });
  });

  test('withdraws an expired approval at once', () => {
    const { queue } = left({ expiresAt: 0 });
    expect(queue.find('a')).toMatchObject({ state: 'withdrawn', settledBy: 'the daemon stopped' });
    expect(queue.settle('a', allowed).ok).toBe(false);
  });
});

test('notifies listeners of every card and of its end', async () => {
  const queue = createApprovalQueue(memoryStore(), handTimers());
  const heard: string[] = [];
  queue.subscribe(({ id, state }) => heard.push(`${id} ${state}`));
  const ends = [queue.ask(card('a')), queue.ask(card('b', { sessionId: 'other' }))];
  queue.withdraw(({ sessionId }) => sessionId === 's', 'the agent went on');
  queue.settle('b', allowed);
  await Promise.all(ends);
  expect(heard).toEqual(['a pending', 'b pending', 'a withdrawn', 'b allowed']);
});

test('whatever happens in any order, an agent is allowed only what a person allowed', () => {
  const step = fc.oneof(
    fc.constant<Settlement>(allowed),
    fc.constant<Settlement>(denied),
    fc.constant<Settlement>({ state: 'withdrawn', by: 'x' }),
    fc.constant<Settlement>({ state: 'expired', by: 'time' }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1 }), (steps) => {
      const store = memoryStore();
      const queue = createApprovalQueue(store, handTimers());
      void queue.ask(card('a'));
      for (const one of steps) queue.settle('a', one);
      const end = store.all.get('a');
      expect(end?.state).toBe(steps[0]?.state);
      const { decision } = responseTo(end ?? card('a'));
      expect(decision === 'allow').toBe(steps[0] === allowed);
    }),
  );
});

test('the end is described in words: who answered, or why it was withdrawn', () => {
  expect(settlementText({ ...card('a'), state: 'allowed', settledBy: 'ada' })).toBe('allowed by ada');
  expect(settlementText({ ...card('a'), state: 'withdrawn', settledBy: 'the daemon stops' })).toBe(
    'withdrawn: the daemon stops',
  );
});
