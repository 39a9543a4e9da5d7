import { expect, test } from 'vitest';
import { beforeTool, permission } from '../../test/support/store/store.ts';
import type { HookEvent } from '../model/events.ts';
import { none } from '../model/responses.ts';
import { parseRules } from './files/load.ts';
import { createRulesHandler } from './handler.ts';
import { openPack } from './pack.ts';
import { indexRules } from './rule-index.ts';
import { createSessionMemory } from './session/memory.ts';

const HOUR_MS = 3_600_000;

/** Rules together with the pack under test, sharing one memory. */
function guard(yaml: string) {
  const { rules, problems } = parseRules(yaml, 'test.yaml');
  expect(problems).toEqual([]);
  const index = indexRules([...rules, ...openPack('loops', false, {}).rules()]);
  let now = 0;
  const handler = createRulesHandler({
    rulesFor: () => ({ index, problems: [] }),
    world: {
      home: null,
      now: () => now,
      real: (path) => path,
      branchOf: () => null,
      treeOf: () => null,
      runOptions: () => ({}),
      unlocked: () => false,
    },
    memory: createSessionMemory(),
    failed: () => none(),
  });
  return {
    at: (time: number) => {
      now = time;
    },
    hear: (event: HookEvent) => {
      const given = handler.decide(event);
      if (given instanceof Promise) throw new Error('rules answer at once');
      return given;
    },
    by: (event: HookEvent) => {
      const given = handler.decide(event);
      if (given instanceof Promise) throw new Error('rules answer at once');
      return given.map(({ by }) => by);
    },
  };
}

const NO_PUSH = 'rules: [{ id: push, command: git push, deny: no }]';
const inTurn = (promptNumber: number, command = 'git push', session = 's1'): HookEvent => ({
  ...beforeTool(command, null, session),
  promptNumber,
});

test('the third denial of a call in a turn has another reason, the fourth ends the turn', () => {
  const { hear } = guard(NO_PUSH);
  const answers = [1, 2, 3, 4].map(() => hear(inTurn(1)));
  expect(answers.map((given) => given.map(({ by }) => by))).toEqual([
    ['push'],
    ['push'],
    ['loops/same-call', 'push'],
    ['loops/same-call', 'loops/person', 'push'],
  ]);
  expect(answers[2]?.[0]?.response.reason).toContain('tell the user');
  expect(answers[2]?.every(({ response }) => response.halt === undefined)).toBe(true);
  expect(answers[3]?.some(({ response }) => response.halt !== undefined)).toBe(true);
});

test('the count restarts for another turn, session or call', () => {
  const { by } = guard(NO_PUSH);
  for (let times = 0; times < 3; times += 1) by(inTurn(1));
  expect(by(inTurn(2))).toEqual(['push']);
  expect(by(inTurn(1, 'git push', 's2'))).toEqual(['push']);
  expect(by(inTurn(1, 'git push origin main'))).toEqual(['push']);
  expect(by(inTurn(1, '  git push '))).toContain('loops/same-call');
});

test('an earlier denial does not outlive its rule', () => {
  const { by, at } = guard(`
    rules: [{ id: push, command: git push, deny: no, until: '1970-01-01T00:00:10Z' }]`);
  for (let times = 0; times < 5; times += 1) by(inTurn(1));
  at(11_000);
  expect(by(inTurn(1))).toEqual([]);
});

test('an observing rule denies nothing', () => {
  const { by } = guard('rules: [{ id: push, command: git push, deny: no, mode: observe }]');
  for (let times = 0; times < 5; times += 1) expect(by(inTurn(1))).toEqual(['push']);
});

test('ask does not count as a denial', () => {
  const { by } = guard('rules: [{ id: push, command: git push, ask: why }]');
  for (let times = 0; times < 5; times += 1) expect(by(permission('git push'))).toEqual(['push']);
});

test('all denials of a turn, a session and an hour have a limit', () => {
  const { by, at } = guard(NO_PUSH);
  const push = (number: number, turn: number, session = 's1') =>
    by(inTurn(turn, `git push origin b${number}`, session));
  for (let number = 1; number < 15; number += 1) expect(push(number, 1)).toEqual(['push']);
  expect(push(15, 1)).toEqual(['loops/turn', 'push']);
  for (let number = 16; number < 60; number += 1) push(number, number);
  expect(push(60, 60)).toEqual(['loops/session', 'push']);
  for (let number = 61; number < 150; number += 1) push(number, number, `s${number}`);
  expect(push(150, 150, 's150')).toEqual(['loops/hour', 'push']);
  at(HOUR_MS + 1);
  expect(push(151, 151, 's151')).toEqual(['push']);
});
