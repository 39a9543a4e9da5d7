import { expect, test } from 'vitest';
import { session, shellCall } from '../../test/support/rules/rules.ts';
import { base, bash } from '../../test/support/store/store.ts';
import type { HookEvent } from '../model/events.ts';

const inTurn = (promptNumber: number, sessionId = 's1'): HookEvent => ({
  ...shellCall('ls'),
  promptNumber,
  sessionId,
});

test('a rule ends when its time is over', () => {
  let now = Date.parse('2026-12-31T17:59:59Z');
  const decide = session('rules: [{deny: no, until: "2026-12-31T18:00:00Z"}]', { now: () => now });
  expect(decide(shellCall('ls'))).toHaveLength(1);
  now += 2_000;
  expect(decide(shellCall('ls'))).toEqual([]);
});

test('a limit per turn counts the turn', () => {
  const decide = session('rules: [{deny: no, limit: 2 per turn}]');
  expect([1, 1, 1, 2, 2, 2].map((turn) => decide(inTurn(turn)).length)).toEqual([0, 0, 1, 0, 0, 1]);
});

test('a limit per session counts the session', () => {
  const decide = session('rules: [{deny: no, limit: 2 per session}]');
  expect([1, 2, 3].map((turn) => decide(inTurn(turn)).length)).toEqual([0, 0, 1]);
  expect(decide(inTurn(1, 'another'))).toEqual([]);
});

test('a limit per hour counts all sessions, and forgets after an hour', () => {
  let now = 0;
  const decide = session('rules: [{deny: no, limit: 1 per hour}]', { now: () => now });
  expect(decide(inTurn(1))).toEqual([]);
  expect(decide(inTurn(1, 'another'))).toHaveLength(1);
  now += 3_600_001;
  expect(decide(inTurn(2))).toEqual([]);
});

test('only what the rule matches counts', () => {
  const decide = session('rules: [{deny: no, command: rm, limit: 1 per turn}]');
  for (const command of ['ls', 'ls', 'rm a', 'ls']) expect(decide(shellCall(command))).toEqual([]);
  expect(decide(shellCall('rm b'))).toHaveLength(1);
});

const stop = (stopHookActive: boolean, promptNumber = 1): HookEvent => ({
  ...base(),
  type: 'stop',
  promptNumber,
  stopHookActive,
  lastAssistantMessage: null,
  backgroundTasks: [],
});

test('a turn end is refused as often as the rule says, in each turn', () => {
  const decide = session('rules: [{on: turn_end, deny: run the tests, repeat: 3}]');
  // That it would refuse once more is on record, and refuses nothing.
  const refused = (event: HookEvent) => decide(event).filter(({ spent }) => !spent).length;
  expect([false, true, true, true].map((again) => refused(stop(again)))).toEqual([1, 1, 1, 0]);
  expect(refused(stop(false, 2))).toBe(1);
});

test('a rule that only observes says so, and so do all rules of a file that does', () => {
  const one = session('rules: [{id: a, deny: no, mode: observe}, {id: b, deny: no}]');
  expect(one(shellCall('ls')).map(({ by, observing }) => [by, observing])).toEqual([
    ['a', true],
    ['b', undefined],
  ]);
  const all = session('mode: observe\nrules: [{deny: no}]');
  expect(all(shellCall('ls'))[0]?.observing).toBe(true);
});

test('what is protected is paused while it is unlocked, and only that', () => {
  const yaml = 'rules: [{id: a, deny: no, protected: true}, {id: b, deny: no}]';
  const ids = (unlocked: boolean) =>
    session(yaml, { unlocked: () => unlocked })(shellCall('ls')).map(({ by }) => by);
  expect(ids(false)).toEqual(['a', 'b']);
  expect(ids(true)).toEqual(['b']);
});

const done = (tool: HookEvent & { readonly type: 'after_tool' }): HookEvent => tool;
const result = { response: '', error: null, durationMs: null };
const ran = (command: string, outcome: 'ok' | 'failed'): HookEvent =>
  done({ ...base(), type: 'after_tool', tool: { ...bash(command), ...result, outcome } });
const wrote: HookEvent = done({
  ...base(),
  type: 'after_tool',
  tool: {
    ...bash('x'),
    ...result,
    name: 'Write',
    kind: 'write',
    command: null,
    files: [{ op: 'write', path: '/x' }],
    outcome: 'ok',
  },
});

test('untested holds from a change to the next test run that passes', () => {
  const decide = session('rules: [{on: stop, untested: true, deny: run the tests}]');
  const after = (...events: readonly HookEvent[]) => {
    return [...events, stop(false)].map(decide).at(-1)?.length;
  };
  expect(after()).toBe(0);
  expect(after(ran('ls', 'ok'))).toBe(0);
  expect(after(wrote)).toBe(1);
  expect(after(ran('npm test', 'failed'))).toBe(1);
  expect(after(ran('echo npm test', 'ok'))).toBe(1);
  // A pipe returns the exit code of its last command, so the result of the tests is unknown.
  expect(after(ran('npm test 2>&1 | tail', 'ok'))).toBe(1);
  expect(after(ran('npm test || true', 'ok'))).toBe(1);
  expect(after(ran('cd api && npm test', 'ok'))).toBe(0);
  expect(after(wrote, ran('pytest -q', 'ok'), wrote)).toBe(1);
});
