import { expect, test } from 'vitest';
import { createIntake, type Gate, LINE_SECONDS, type Load, STALLED_SECONDS } from './intake.ts';

/** A line of a connection, as seen by its reader and its sender. */
interface Sender {
  readonly load: Load;
  readonly state: () => 'reading' | 'paused' | 'gone';
}

function opened(limits: { readonly mostBytes?: number; readonly mostLarge?: number } = {}) {
  const due = new Set<() => void>();
  const intake = createIntake({
    mostBytes: 1_000,
    large: 100,
    mostLarge: 1,
    ...limits,
    second: (callback) => {
      const once = () => callback();
      due.add(once);
      return () => void due.delete(once);
    },
  });
  return {
    intake,
    sender(bytes = 0): Sender {
      let state: ReturnType<Sender['state']> = 'reading';
      const gate: Gate = {
        pause: () => {
          state = 'paused';
        },
        resume: () => {
          state = 'reading';
        },
        turnAway: () => {
          state = 'gone';
        },
      };
      const load = intake.begin(gate);
      if (bytes > 0) load.grow(bytes);
      return { load, state: () => state };
    },
    pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        const now = [...due];
        due.clear();
        for (const callback of now) callback();
      }
    },
  };
}

const statesOf = (senders: readonly Sender[]) => senders.map(({ state }) => state());

test('reads large lines one after the other, in the order in which they became large', () => {
  const { sender } = opened();
  const [a, b, c] = [sender(), sender(), sender()];
  b.load.grow(101);
  c.load.grow(101);
  a.load.grow(101);
  expect(statesOf([a, b, c])).toEqual(['paused', 'reading', 'paused']);
  b.load.complete(500);
  expect(statesOf([a, c])).toEqual(['paused', 'paused']);
  b.load.end();
  expect(statesOf([a, c])).toEqual(['paused', 'reading']);
  c.load.end();
  expect(a.state()).toBe('reading');
});

test('a small line never waits for a large one', () => {
  const { sender } = opened();
  const large = [sender(101), sender(101), sender(101)];
  expect(statesOf(large)).toEqual(['reading', 'paused', 'paused']);
  const small = sender(100);
  small.load.complete(100);
  expect(small.state()).toBe('reading');
});

test('a line releases its slot once, however often it ends, even while it waits', () => {
  const { sender } = opened();
  const [a, b, c, d] = [sender(101), sender(101), sender(101), sender(101)];
  b.load.end();
  a.load.end();
  a.load.end();
  expect(statesOf([c, d])).toEqual(['reading', 'paused']);
});

test('a call that waits for a person frees its slot, until such calls use all the bytes', () => {
  const { sender } = opened({ mostBytes: 250 });
  const [a, b, c] = [sender(150), sender(150), sender(150)];
  a.load.park();
  expect(statesOf([b, c])).toEqual(['reading', 'paused']);
  b.load.park();
  expect(c.state()).toBe('paused');
  a.load.end();
  expect(c.state()).toBe('reading');
});

test('with too many bytes in total, accepts only lines that came in one piece', () => {
  const { intake, sender } = opened();
  const answered = Array.from({ length: 11 }, () => sender());
  for (const { load } of answered) load.complete(100);
  expect(intake.isFull()).toBe(true);
  const [half, none] = [sender(50), sender()];
  none.load.grow(0);
  expect(statesOf([half, none])).toEqual(['paused', 'paused']);
  answered[0]?.load.end();
  answered[1]?.load.end();
  expect(statesOf([half, none])).toEqual(['reading', 'reading']);
});

test('disconnects a sender that stops in the middle of a line', () => {
  const { sender, pass } = opened();
  const [stopped, drips, next] = [sender(101), sender(20), sender(101)];
  pass(LINE_SECONDS - 1);
  drips.load.grow(21);
  expect(statesOf([stopped, drips, next])).toEqual(['reading', 'reading', 'paused']);
  pass(1);
  // The time limit for a line doesn't run while it waits for a slot.
  expect(statesOf([stopped, drips, next])).toEqual(['gone', 'gone', 'reading']);
  next.load.complete(300);
  pass(LINE_SECONDS);
  expect(next.state()).toBe('reading');
});

test('if no slot becomes free, waiting senders are turned away one after the other', () => {
  const { sender, pass } = opened();
  const [slow, b, c, d] = [sender(101), sender(101), sender(101), sender(101)];
  slow.load.complete(300);
  pass(STALLED_SECONDS);
  expect(statesOf([b, c, d])).toEqual(['gone', 'paused', 'paused']);
  pass(1);
  expect(statesOf([c, d])).toEqual(['gone', 'paused']);
  slow.load.end();
  expect(d.state()).toBe('reading');
});

test('with twice as many bytes, turns away senders of incomplete lines', () => {
  const { sender } = opened();
  const placed = sender(900);
  const small = Array.from({ length: 11 }, () => sender(99));
  const last = sender(99);
  expect(placed.state()).toBe('reading');
  expect(small.slice(0, 2).map(({ state }) => state())).toEqual(['reading', 'paused']);
  expect(last.state()).toBe('gone');
  expect(sender(9).state()).toBe('paused');
  placed.load.grow(1_000);
  expect(placed.state()).toBe('reading');
});
