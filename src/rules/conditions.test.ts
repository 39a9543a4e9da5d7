import { describe, expect, test } from 'vitest';
import { factsOf, matches, rulesIn, session, shellCall } from '../../test/support/rules/rules.ts';
import { afterTool, base, prompt } from '../../test/support/store/store.ts';
import type { HookEvent } from '../model/events.ts';
import type { World } from './facts.ts';
import { parseRules } from './files/load.ts';

const decisions = (rule: string, event: HookEvent, world: Partial<World> = {}) =>
  session(`rules: [{deny: no, ${rule}}]`, world)(event).length;

test.each([
  ['exists: pnpm-lock.yaml', '/home/dev/project/pnpm-lock.yaml'],
  ['exists: [a, sub/b]', '/home/dev/project/sub/b'],
  ['exists: ~/.x', '/home/dev/.x'],
  ['exists: /etc/x', '/etc/x'],
])('%s matches %s', (rule, file) => {
  const there: string[] = [file];
  expect(matches(rule, 'ls', { exists: (path) => there.includes(path) })).toBe(true);
  expect(matches(rule, 'ls', { exists: () => false })).toBe(false);
  expect(matches(rule, 'ls')).toBe(false);
});

test('branch, tree, directory and agent', () => {
  expect(matches('branch: [main, "release/*"]', 'ls', { branchOf: () => 'release/1' })).toBe(true);
  expect(matches('branch: main', 'ls', { branchOf: () => 'maintenance' })).toBe(false);
  expect(matches('branch: "*"', 'ls', { branchOf: () => null })).toBe(false);
  expect(matches('tree: dirty', 'ls', { treeOf: () => 'dirty' })).toBe(true);
  expect(matches('tree: dirty', 'ls', { treeOf: () => null })).toBe(false);
  expect(matches('cwd: ~/project/**', 'ls')).toBe(true);
  expect(matches('cwd: ~/other/**', 'ls')).toBe(false);
  expect(matches('agent: example', 'ls')).toBe(true);
  expect(matches('agent: other', 'ls')).toBe(false);
});

test.each([
  ['host: "*.example.com"', 'curl https://api.example.com/x', true],
  ['host: example.com', 'curl https://example.com.evil.org', false],
  ['host: example.com', 'ssh dev@example.com ls', true],
  ['host: "*"', 'curl "https://$X/"', false],
  ['coverage: failed', "echo 'open", true],
  ['coverage: partial', 'bash -c "$X"', true],
  ['coverage: partial', 'ls', false],
])('%s on %j is %s', (rule, command, expected) => {
  expect(matches(rule, command)).toBe(expected);
});

test('an MCP tool matches by server and name', () => {
  const call = shellCall('x');
  const mcp: HookEvent = {
    ...call,
    tool: { ...call.tool, name: 'm', kind: 'mcp', mcp: { server: 'db', tool: 'drop' }, command: null },
  };
  expect(decisions('mcp: db', mcp)).toBe(1);
  expect(decisions('mcp: db/drop', mcp)).toBe(1);
  expect(decisions('mcp: "*/dr*"', mcp)).toBe(1);
  expect(decisions('mcp: db/list', mcp)).toBe(0);
  expect(decisions('mcp: db', call)).toBe(0);
});

test('prompts and outputs match as plain text or as an expression', () => {
  expect(decisions('prompt: HELLO', prompt())).toBe(1);
  expect(decisions('prompt: /^h.llo$/', prompt())).toBe(1);
  expect(decisions('prompt: bye', prompt())).toBe(0);
  expect(decisions('output: done', afterTool('ls'))).toBe(1);
  expect(decisions('output: secret', afterTool('ls'))).toBe(0);
});

test('a file written by a tool counts like one written by a command', () => {
  const write: HookEvent = {
    ...base(),
    type: 'before_tool',
    cwd: '/home/dev/project',
    projectId: '/home/dev/project',
    tool: {
      name: 'Patch',
      nativeName: 'Patch',
      kind: 'write',
      input: {},
      useId: null,
      mcp: null,
      command: null,
      files: [
        { op: 'create', path: '/home/dev/project/a' },
        { op: 'move', path: '/home/dev/project/b', to: '/home/dev/.bashrc' },
        { op: 'delete', path: '/home/dev/project/c' },
      ],
    },
  };
  expect(decisions('writes: ~/.bashrc', write)).toBe(1);
  expect(decisions('deletes: b', write)).toBe(1);
  expect(decisions('deletes: c', write)).toBe(1);
  expect(decisions('writes: c', write)).toBe(0);
  expect(decisions('reads: "**"', write)).toBe(0);
  expect(decisions('writes: "**", unless: {writes: ./**}', write)).toBe(1);
});

describe('certainty of an effect', () => {
  const LINES = ['cat a/id_rsa', 'cat a/id_*', 'cat a/*', 'cat "$X"/id_rsa', 'cat b.txt'];
  const caught = (rule: string) => LINES.filter((line) => matches(rule, line));

  test('a possible effect counts only if a rule says so', () => {
    const reads = 'reads: "**/id_rsa"';
    expect(caught(reads)).toEqual(['cat a/id_rsa', 'cat a/id_*', 'cat "$X"/id_rsa']);
    expect(caught(`${reads}, certainty: likely`)).toEqual(caught(reads));
    expect(caught(`${reads}, certainty: certain`)).toEqual(['cat a/id_rsa']);
    const [asks] = rulesIn('rules: [{reads: "**/id_rsa", certainty: possible, ask: sure}]');
    expect(LINES.filter((line) => asks?.test(factsOf(shellCall(line))))).toEqual(LINES.slice(0, 4));
  });

  test.each(['deny: no', 'allow: true'])('%s cannot be combined with possible effects', (decision) => {
    const { rules, problems } = parseRules(`rules: [{reads: x, certainty: possible, ${decision}}]`, 'x.yaml');
    expect(rules).toEqual([]);
    expect(problems[0]?.message).toMatch(/certain/);
  });

  test('the arguments that an unknown program may run are likely', () => {
    expect(matches('effects: delete', 'mystery rm x')).toBe(true);
    expect(matches('effects: delete, certainty: certain', 'mystery rm x')).toBe(false);
  });
});
