import { expect, test } from 'vitest';
import { writeCall } from '../../../test/support/rules/rules.ts';
import { base, beforeTool } from '../../../test/support/store/store.ts';
import type { EventOf, HookEvent } from '../../model/events.ts';
import { none } from '../../model/responses.ts';
import { parseRules } from '../files/load.ts';
import { createRulesHandler } from '../handler.ts';
import { indexRules } from '../rule-index.ts';
import { createSessionMemory } from './memory.ts';

const MINUTE_MS = 60_000;

function sentinel(yaml: string) {
  const { rules, problems } = parseRules(yaml, 'test.yaml');
  expect(problems).toEqual([]);
  const index = indexRules(rules);
  let now = 0;
  let branch = 'main';
  const handler = createRulesHandler({
    rulesFor: () => ({ index, problems: [] }),
    world: {
      home: '/home/dev',
      now: () => now,
      real: (path) => path.replace('/work/link', '/work/shop'),
      branchOf: () => branch,
      treeOf: () => null,
      runOptions: () => ({}),
      unlocked: () => false,
    },
    memory: createSessionMemory(),
    failed: () => none(),
  });
  return {
    after: (ms: number) => {
      now += ms;
    },
    checkout: (name: string) => {
      branch = name;
    },
    says: (event: HookEvent) => {
      const given = handler.decide(event);
      if (given instanceof Promise) throw new Error('rules answer at once');
      return given.map(({ by }) => by);
    },
  };
}

const place = { cwd: '/work/shop', projectId: '/work/shop' };
const run = (session: string, command: string, more: Partial<HookEvent> = {}): HookEvent =>
  Object.assign(beforeTool(command, null, session), place, more);
const write = (sessionId: string, path: string): EventOf<'before_tool'> =>
  writeCall(path, { ...base(sessionId), ...place });

const FILE = 'rules: [{ id: file, conflict: file, ask: Another session is editing it. }]';
const BRANCH = 'rules: [{ id: branch, conflict: branch, within: 5m, ask: Another session is editing it. }]';

test('two sessions that write the same file, by any tool and agent', () => {
  const { says } = sentinel(FILE);
  expect(says(write('a', '/work/shop/x.ts'))).toEqual([]);
  expect(says(write('a', '/work/shop/x.ts'))).toEqual([]);
  expect(says(write('b', '/work/shop/y.ts'))).toEqual([]);
  expect(says({ ...write('b', '/work/shop/x.ts'), source: 'another' })).toEqual(['file']);
  expect(says(run('c', 'echo 1 > x.ts'))).toEqual(['file']);
  expect(says(run('c', 'rm /work/link/y.ts'))).toEqual(['file']);
  expect(says(run('c', 'cat x.ts'))).toEqual([]);
});

test('only within the window', () => {
  const { says, after } = sentinel(FILE);
  says(write('a', '/work/shop/x.ts'));
  after(11 * MINUTE_MS);
  expect(says(write('b', '/work/shop/x.ts'))).toEqual([]);
  after(9 * MINUTE_MS);
  expect(says(write('c', '/work/shop/x.ts'))).toEqual(['file']);
});

test('a denied call writes nothing', () => {
  const { says } = sentinel(`
    rules:
      - { id: file, conflict: file, ask: x }
      - { id: no, writes: '**/secret', deny: x }`);
  expect(says(write('a', '/work/shop/secret'))).toEqual(['no']);
  expect(says(write('b', '/work/shop/secret'))).toEqual(['no']);
});

test('an ended session causes no conflict', () => {
  const { says } = sentinel(FILE);
  says(write('a', '/work/shop/x.ts'));
  says({ ...base('a'), type: 'session_end', reason: '' });
  expect(says(write('b', '/work/shop/x.ts'))).toEqual([]);
});

test('two sessions on one branch in one directory', () => {
  const { says, checkout, after } = sentinel(BRANCH);
  expect(says(run('a', 'git commit -m x'))).toEqual([]);
  expect(says(run('b', 'git status'))).toEqual([]);
  expect(says(run('b', 'git push'))).toEqual(['branch']);
  expect(says(write('b', '/work/shop/x.ts'))).toEqual(['branch']);
  expect(says(run('c', 'git push', { cwd: '/work/api', projectId: '/work/api' }))).toEqual([]);
  checkout('feature');
  expect(says(run('c', 'git push'))).toEqual([]);
  after(6 * MINUTE_MS);
  expect(says(run('d', 'git push'))).toEqual([]);
});

test('within needs conflict', () => {
  const { problems } = parseRules('rules: [{ id: a, within: 5m, deny: no }]', 'test.yaml');
  expect(problems[0]?.message).toContain('has within but no conflict');
});
