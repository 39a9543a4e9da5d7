import { expect, test } from 'vitest';
import { plainWorld, rulesIn } from '../../test/support/rules/rules.ts';
import { afterTool, base, bash, beforeTool, permission, prompt } from '../../test/support/store/store.ts';
import { NOT_ASKING } from '../model/deciding.ts';
import type { HookEvent } from '../model/events.ts';
import { responseToFailure } from '../model/failure.ts';
import { none } from '../model/responses.ts';
import { parseRules } from './files/load.ts';
import { createRulesHandler, READING_MS } from './handler.ts';
import { indexRules } from './rule-index.ts';
import { createSessionMemory } from './session/memory.ts';

/** The opinions of the rules in a text on an event. */
function opinionsOn(event: HookEvent, yaml: string) {
  const { rules, problems } = parseRules(yaml, 'test.yaml');
  expect(problems).toEqual([]);
  const handler = createRulesHandler({
    rulesFor: () => ({ index: indexRules(rules), problems: [] }),
    world: plainWorld,
    memory: createSessionMemory(),
    failed: () => none(),
  });
  const given = handler.decide(event);
  if (given instanceof Promise) throw new Error('rules answer at once');
  return given.map(({ by, response, spent, observing }) => ({
    by,
    response,
    ...(spent ? { spent, observing } : {}),
  }));
}

test('announces a delay before rules are reloaded', () => {
  const steps: string[] = [];
  let isStale = true;
  const handler = createRulesHandler({
    rulesFor: () => {
      steps.push('read');
      isStale = false;
      return { index: indexRules([]), problems: [] };
    },
    isStale: () => isStale,
    world: plainWorld,
    memory: createSessionMemory(),
    failed: () => none(),
  });
  const asking = { ...NOT_ASKING, busy: (ms: number) => void steps.push(`busy ${ms}`) };
  void handler.decide(beforeTool('ls'), asking);
  void handler.decide(beforeTool('ls'), asking);
  expect(steps).toEqual([`busy ${READING_MS}`, 'read', 'read']);
});

const stop = (stopHookActive: boolean): HookEvent => ({
  ...base(),
  type: 'stop',
  stopHookActive,
  lastAssistantMessage: null,
  backgroundTasks: [],
});

test('a rule without further keys decides before the call and in its dialog, and adds context once', () => {
  const yaml = 'rules: [{id: r, deny: no, context: because}]';
  expect(opinionsOn(beforeTool('ls'), yaml)).toEqual([
    {
      by: 'r',
      response: {
        decision: 'deny',
        reason: expect.stringMatching(/^no\. .*Denied by Hookline rule r\)/),
        explanation: 'no.',
        context: 'because',
      },
    },
  ]);
  expect(opinionsOn(permission('ls'), yaml)).toEqual([
    {
      by: 'r',
      response: {
        decision: 'deny',
        reason: expect.stringMatching(/^no\. .*Denied by Hookline rule r\)/),
        explanation: 'no.',
      },
    },
  ]);
  expect(opinionsOn(afterTool('ls'), yaml)).toEqual([]);
  expect(opinionsOn(prompt(), yaml)).toEqual([]);
});

test('a rule that only adds context is silent in the dialog', () => {
  const yaml = 'rules: [{on: tool, context: because, rewrite: {command: x}}]';
  expect(opinionsOn(beforeTool('ls'), yaml)).toHaveLength(1);
  expect(opinionsOn(permission('ls'), yaml)).toEqual([]);
});

test('a rule on the dialog alone tells there', () => {
  const yaml = 'rules: [{on: permission_request, allow: fine, grants: [{tool: Bash, pattern: ls}]}]';
  expect(opinionsOn(beforeTool('ls'), yaml)).toEqual([]);
  expect(opinionsOn(permission('ls'), yaml)[0]?.response).toEqual({
    decision: 'allow',
    reason: expect.stringContaining('fine'),
    grants: [{ behavior: 'allow', tool: 'Bash', pattern: 'ls', scope: 'session' }],
  });
});

test('denies the end of a turn only once', () => {
  const yaml = 'rules: [{on: turn_end, deny: run the tests first}]';
  expect(opinionsOn(stop(false), yaml)).toHaveLength(1);
  // It still denies in the history, but not in the answer.
  expect(opinionsOn(stop(true), yaml)).toMatchObject([{ spent: true, observing: true }]);
  expect(opinionsOn(stop(true), 'rules: [{on: stop, notify: done}]')).toHaveLength(1);
});

test.each([
  ['touch', 'touch x', true],
  ['touch', 'touch', true],
  ['touch', 'cd a && touch b', true],
  ['touch', 'true; touch b', true],
  ['touch', 'ls | touch', true],
  ['touch', 'ls\ntouch b', true],
  ['touch', 'touchdown', false],
  ['touch', 'echo touch', false],
  ['git push', 'git   push -f', true],
  ['git push', 'git pull', false],
])('command: %s on %j: %s', (pattern, command, matches) => {
  const yaml = `rules: [{command: ${pattern}, deny: no}]`;
  expect(opinionsOn(beforeTool(command), yaml)).toHaveLength(matches ? 1 : 0);
});

test('all conditions must hold; each may be a list', () => {
  const yaml = 'rules: [{agent: [claude, other], tool: [Bash, Write], command: [rm, mv], deny: no}]';
  expect(opinionsOn(beforeTool('mv a b'), yaml)).toHaveLength(1);
  expect(opinionsOn({ ...beforeTool('mv a b'), source: 'third' }, yaml)).toEqual([]);
  expect(opinionsOn(beforeTool('cp a b'), yaml)).toEqual([]);
  const reading: HookEvent = {
    ...base(),
    type: 'before_tool',
    tool: { ...bash('mv'), name: 'Read', nativeName: 'Read' },
  };
  expect(opinionsOn(reading, yaml)).toEqual([]);
});

test('a tool matches by its own name too, and a command only in a shell', () => {
  const native: HookEvent = {
    ...base(),
    type: 'before_tool',
    tool: { ...bash('x'), nativeName: 'run_shell_command', input: { note: 'x' }, command: null },
  };
  expect(opinionsOn(native, 'rules: [{tool: run_shell_command, deny: no}]')).toHaveLength(1);
  expect(opinionsOn(native, 'rules: [{command: x, deny: no}]')).toEqual([]);
  // The argument is used if the agent's adapter could not read the command.
  const unread: HookEvent = { ...native, tool: { ...native.tool, input: { command: ['x', 'y'] } } };
  expect(opinionsOn(unread, 'rules: [{command: x, deny: no}]')).toHaveLength(1);
});

test('allow: true is an allow without a reason; no decision is none', () => {
  expect(opinionsOn(beforeTool('ls'), 'rules: [{allow: true}]')[0]?.response).toEqual({ decision: 'allow' });
  expect(opinionsOn(beforeTool('ls'), 'rules: [{notify: hi}]')[0]?.response).toEqual({
    decision: 'none',
    systemMessage: 'hi',
  });
});

test.each(['deny', 'ask'])(
  'a rule that fails while it is evaluated still has its %s, even when failures stay open',
  (decision) => {
    const broken = rulesIn(`rules: [{id: r, ${decision}: no}, {id: s, allow: true}]`).map((rule) => ({
      ...rule,
      test: () => {
        throw new Error('broken');
      },
    }));
    const handler = createRulesHandler({
      rulesFor: () => ({ index: indexRules(broken), problems: [] }),
      world: plainWorld,
      memory: createSessionMemory(),
      failed: (event, what) => responseToFailure(event.type, 'open', what),
    });
    expect(handler.decide(beforeTool('ls'))).toMatchObject([
      {
        kind: 'failure',
        by: 'r',
        response: { decision, reason: expect.stringContaining('counts as a match') },
      },
      { kind: 'failure', by: 's', response: { decision: 'none' } },
    ]);
  },
);

test('a failing protected rule is paused like the others while unlocked', () => {
  const broken = rulesIn('rules: [{id: r, deny: no}]').map((rule) => ({
    ...rule,
    protected: true,
    test: () => {
      throw new Error('broken');
    },
  }));
  const handler = createRulesHandler({
    rulesFor: () => ({ index: indexRules(broken), problems: [] }),
    world: { ...plainWorld, unlocked: () => true },
    memory: createSessionMemory(),
    failed: () => none(),
  });
  expect(handler.decide(beforeTool('ls'))).toEqual([]);
});

test('an unreadable rule denies what is guarded when failures deny, and nothing else', () => {
  const handler = createRulesHandler({
    rulesFor: () => ({ index: indexRules([]), problems: [{ where: 'a.yaml:3:1', message: 'not YAML' }] }),
    world: plainWorld,
    memory: createSessionMemory(),
    failed: (event, what) => responseToFailure(event.type, 'closed', what),
  });
  expect(handler.decide(beforeTool('ls'))).toMatchObject([
    {
      kind: 'failure',
      by: 'rules',
      response: { decision: 'deny', reason: expect.stringContaining('a.yaml:3:1') },
    },
  ]);
  expect(handler.decide(stop(false))).toEqual([]);
});
