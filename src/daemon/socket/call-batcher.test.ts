import { expect, test } from 'vitest';
import { createCallBatcher, MAX_BATCH, SETTLE_MS } from './call-batcher.ts';

/** An event loop and a clock that the test controls. */
function scriptedTurns({ others = true } = {}) {
  let time = 0;
  let rounds: (() => void)[] = [];
  const started: string[] = [];
  const turns = createCallBatcher<string>({
    hasOthers: () => others,
    now: () => time,
    nextRound: (callback) => rounds.push(callback),
    around: (startAll) => {
      started.push('(');
      startAll();
      started.push(')');
    },
  });
  return {
    turns,
    started,
    add: (from: string, name: string) => turns.add(from, () => started.push(name)),
    round: () => {
      const due = rounds;
      rounds = [];
      for (const callback of due) callback();
      return due.length;
    },
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test('starts calls together that arrive close together', () => {
  const { turns, add, round, started } = scriptedTurns();
  add('a', 'a1');
  round();
  turns.noteActivity();
  round();
  add('b', 'b1');
  round();
  expect(started).toEqual([]);
  round();
  expect(started).toEqual(['(', 'a1', 'b1', ')']);
  expect(round()).toBe(0);
});

test('no call waits for others longer than the limit', () => {
  const { add, round, pass, started } = scriptedTurns();
  add('a', 'a1');
  pass(SETTLE_MS);
  add('b', 'b1');
  round();
  expect(started).toEqual(['(', 'a1', 'b1', ')']);
});

test("a busy sender doesn't block the others", () => {
  const { add, round, started } = scriptedTurns();
  for (let at = 0; at < MAX_BATCH * 2; at += 1) add('loud', `loud${at}`);
  add('quiet', 'quiet');
  round();
  const first = started.slice(1, -1);
  expect(first).toHaveLength(MAX_BATCH);
  expect(first.slice(0, 3)).toEqual(['loud0', 'quiet', 'loud1']);
  while (round() > 0);
  const loud = started.filter((name) => name.startsWith('loud'));
  expect(loud).toEqual(Array.from({ length: MAX_BATCH * 2 }, (_, at) => `loud${at}`));
});

test("a single caller doesn't wait, unless several asked just before", async () => {
  const { add, round, started } = scriptedTurns({ others: false });
  add('a', 'a1');
  add('a', 'a2');
  expect(started).toEqual([]);
  await null;
  expect(started.splice(0)).toEqual(['(', 'a1', 'a2', ')']);
  add('a', 'a3');
  await null;
  expect(started).toEqual([]);
  while (round() > 0);
  expect(started.splice(0)).toEqual(['(', 'a3', ')']);
  add('a', 'a4');
  await null;
  expect(started).toEqual(['(', 'a4', ')']);
});
