import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Approval, responseTo, type Settlement } from './approval.ts';
import { type ApprovalStore, createDesk, type Timers } from './desk.ts';
import { card } from './testing.ts';

function memoryStore(): ApprovalStore & { all: Map<string, Approval> } {
  const all = new Map<string, Approval>();
  return {
    all,
    save: (approval) => all.set(approval.id, approval),
    find: (id) => all.get(id) ?? null,
    pending: () => [...all.values()].filter(({ state }) => state === 'pending'),
  };
}

/** A clock that runs when told to. */
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

test('the first answer wins, and the second is told who was faster', async () => {
  const desk = createDesk(memoryStore(), handTimers());
  const end = desk.ask(card('a'));
  expect(desk.settle('a', denied)).toMatchObject({
    ok: true,
    approval: { state: 'denied', settledBy: 'bob' },
  });
  expect(desk.settle('a', allowed)).toMatchObject({
    ok: false,
    approval: { state: 'denied', settledBy: 'bob' },
  });
  expect(await end).toMatchObject({ state: 'denied', answer: { message: 'no' } });
  expect(desk.pending()).toEqual([]);
});

test('time that runs out ends it, and an answer after that does not count', async () => {
  const timers = handTimers();
  const desk = createDesk(memoryStore(), timers);
  const end = desk.ask(card('a'));
  timers.pass(1000);
  expect(await end).toMatchObject({ state: 'expired', answer: null });
  expect(desk.settle('a', allowed)).toMatchObject({ ok: false, approval: { state: 'expired' } });
});

test('what waited when the process died is withdrawn at the next start', () => {
  const store = memoryStore();
  void createDesk(store, handTimers()).ask(card('a'));
  const desk = createDesk(store, handTimers());
  expect(desk.find('a')).toMatchObject({ state: 'withdrawn', settledBy: 'the daemon was restarted' });
  expect(desk.settle('a', allowed).ok).toBe(false);
});

test('listeners hear of every card and of its end', async () => {
  const desk = createDesk(memoryStore(), handTimers());
  const heard: string[] = [];
  desk.subscribe(({ id, state }) => heard.push(`${id} ${state}`));
  const ends = [desk.ask(card('a')), desk.ask(card('b', { sessionId: 'other' }))];
  desk.withdraw(({ sessionId }) => sessionId === 's', 'the agent went on');
  desk.settle('b', allowed);
  await Promise.all(ends);
  expect(heard).toEqual(['a pending', 'b pending', 'a withdrawn', 'b allowed']);
});

test('whatever happens in whatever order, an agent is allowed only what a person allowed', () => {
  const step = fc.oneof(
    fc.constant<Settlement>(allowed),
    fc.constant<Settlement>(denied),
    fc.constant<Settlement>({ state: 'withdrawn', by: 'x' }),
    fc.constant<Settlement>({ state: 'expired', by: 'time' }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1 }), (steps) => {
      const store = memoryStore();
      const desk = createDesk(store, handTimers());
      void desk.ask(card('a'));
      for (const one of steps) desk.settle('a', one);
      const end = store.all.get('a');
      expect(end?.state).toBe(steps[0]?.state);
      const { decision } = responseTo(end ?? card('a'));
      expect(decision === 'allow').toBe(steps[0] === allowed);
    }),
  );
});
