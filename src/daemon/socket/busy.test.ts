import { expect, test } from 'vitest';
import { createSlowWorkAlert } from './busy.ts';

/** A clock that the test advances. */
function startClock() {
  let now = 0;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  return {
    options: {
      now: () => now,
      after: (ms: number, callback: () => void) => void timers.push({ at: now + ms, callback }),
    },
    timers: () => timers.length,
    goTo(ms: number) {
      for (;;) {
        const next = timers.filter(({ at }) => at <= ms).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((one) => one !== next);
        now = next.at;
        next.callback();
      }
      now = ms;
    },
  };
}

test('reports each piece of work that takes too long, at its own time', () => {
  const clock = startClock();
  const spoke: string[] = [];
  const begin = createSlowWorkAlert(100, clock.options);
  begin(() => spoke.push('first'));
  clock.goTo(60);
  begin(() => spoke.push('second'));
  clock.goTo(99);
  expect(spoke).toEqual([]);
  clock.goTo(100);
  expect(spoke).toEqual(['first']);
  clock.goTo(159);
  expect(spoke).toEqual(['first']);
  clock.goTo(1_000);
  expect(spoke).toEqual(['first', 'second']);
  expect(clock.timers()).toBe(0);
});

test("doesn't report work that ends in time, and starts no timer for it", () => {
  const clock = startClock();
  const spoke: string[] = [];
  const begin = createSlowWorkAlert(100, clock.options);
  for (const at of [0, 20, 40]) {
    clock.goTo(at);
    const done = begin(() => spoke.push(`at ${at}`));
    done();
  }
  expect(clock.timers()).toBe(1);
  begin(() => spoke.push('slow'));
  clock.goTo(139);
  expect(spoke).toEqual([]);
  clock.goTo(140);
  expect(spoke).toEqual(['slow']);
});
