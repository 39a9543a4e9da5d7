import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { until } from '../../test/support/until.ts';
import { projectHash, setTrust } from './files/trust.ts';
import { packNames } from './pack.ts';
import { DEFAULT_PACKS, openRuleSet, type RuleSetOptions } from './rule-set.ts';

const quiet = Object.fromEntries(packNames().map((name) => [name, 'off'] as const));

function scratch() {
  const root = scratchFolder();
  const project = join(root, 'project');
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const trustFile = join(root, 'home', 'trust.json');
  const ruleSet = (more: Partial<RuleSetOptions> = {}) =>
    openRuleSet({
      folder: join(root, 'user'),
      systemFolder: join(root, 'system'),
      trustFile,
      packs: quiet,
      off: [],
      places: {},
      ...more,
    });
  return { root, project, write, trustFile, ruleSet };
}

const PROJECT_RULES = `rules:
  - {id: deny, deny: no, context: read this}
  - {id: ask, ask: sure?, rewrite: {command: rm}}
  - {id: allow, allow: true}
  - {id: context, context: read this}
  - {id: rewrite, rewrite: {command: rm}}
  - {id: env, env: {A: b}}
  - {id: halt, halt: stop}
`;

test('every pack has a default, and there are no other packs', () => {
  expect(Object.keys(DEFAULT_PACKS).sort()).toEqual(packNames());
});

test('layers come in the order of precedence', () => {
  const { ruleSet, write, project } = scratch();
  write('system/a.yaml', 'rules: [{id: system, deny: no}]');
  write('user/a.yaml', 'rules: [{id: user, deny: no}]');
  write('project/.hookline/rules/a.yaml', 'rules: [{id: project, deny: no}]');
  const layers = (at: string | null) =>
    ruleSet({ packs: { ...quiet, quality: 'on' } })
      .inForce(at)
      .rules.map(({ layer }) => layer);
  expect([...new Set(layers(project))]).toEqual(['system', 'pack', 'user', 'project']);
  expect(layers(null)).not.toContain('project');
});

test('projects without rules share an index until they have some', () => {
  const { root, ruleSet, write, project } = scratch();
  const rules = ruleSet();
  const other = join(root, 'other');
  const shared = rules.inForce(null);
  expect([rules.inForce(project), rules.inForce(other)].every((one) => one === shared)).toBe(true);
  const ids = (at: string) => rules.inForce(at).rules.map(({ id }) => id);
  write('project/.hookline/rules/a.yaml', 'rules: [{id: project, deny: no}]');
  expect([ids(project), ids(other)]).toEqual([['project'], []]);
  write('user/a.yaml', 'rules: [{id: user, deny: no}]');
  expect([ids(project), ids(other)]).toEqual([['user', 'project'], ['user']]);
  rmSync(join(project, '.hookline'), { recursive: true });
  expect([ids(project), ids(other)]).toEqual([['user'], ['user']]);
  write('project/.hookline/rules/a.yaml', 'rules: [{id: a, deny: no, command: [}]');
  expect(rules.inForce(project).problems).not.toEqual([]);
  expect(rules.inForce(other).problems).toEqual([]);
});

test('rules are stale until they are read, and after each file change', async () => {
  const { ruleSet, write, project } = scratch();
  const files = ['system/a.yaml', 'user/a.yaml', 'project/.hookline/rules/a.yaml'];
  for (const file of files) write(file, 'rules: [{id: a, deny: no}]');
  const rules = ruleSet();
  // A file that was just written may change again without a visible difference.
  const isRead = () => {
    rules.inForce(project);
    return !rules.isStale(project);
  };
  expect(rules.isStale(project)).toBe(true);
  for (const file of files) {
    await until(isRead);
    write(file, 'rules: [{id: other, deny: no}]');
    expect(rules.isStale(project)).toBe(true);
  }
});

test('the rules of the home do not count as project rules too', () => {
  const { ruleSet, write, root } = scratch();
  write('.hookline/rules/a.yaml', 'rules: [{id: mine, deny: no}]');
  const rules = ruleSet({ folder: join(root, '.hookline', 'rules') });
  expect(rules.inForce(root).rules.map(({ id, layer }) => [id, layer])).toEqual([['mine', 'user']]);
});

test('an untrusted project may only deny and ask', () => {
  const { ruleSet, write, project, trustFile } = scratch();
  write('project/.hookline/rules/a.yaml', PROJECT_RULES);
  const rules = ruleSet();
  expect(rules.inForce(project).rules.map(({ id, response }) => [id, response])).toEqual([
    ['deny', { decision: 'deny', reason: 'no' }],
    ['ask', { decision: 'ask', reason: 'sure?' }],
  ]);
  const others = ['allow', 'context', 'rewrite', 'env', 'halt'];
  expect(rules.inForce(project).untrustedRules.map(({ id }) => id)).toEqual(others);
  setTrust(project, projectHash(project), trustFile);
  expect(rules.inForce(project).rules.map(({ id }) => id)).toEqual(['deny', 'ask', ...others]);
  expect(rules.inForce(project).untrustedRules).toEqual([]);
});

test.each([
  ['a rule changes', 'project/.hookline/rules/a.yaml', 'rules: [{id: other, allow: true}]'],
  ['a rule file comes', 'project/.hookline/rules/b.yaml', 'rules: [{id: other, allow: true}]'],
  ['a hook comes', 'project/.hookline/hooks/x.ts', 'export default {}'],
])('trust ends when %s', (_, path, text) => {
  const { ruleSet, write, project, trustFile } = scratch();
  write('project/.hookline/rules/a.yaml', PROJECT_RULES);
  setTrust(project, projectHash(project), trustFile);
  const rules = ruleSet();
  const allows = () => rules.inForce(project).rules.filter(({ response }) => response.decision === 'allow');
  expect(allows()).toHaveLength(1);
  write(path, text);
  expect(allows()).toEqual([]);
});

test('trust ends when a file is deleted, and is revoked by name', () => {
  const { ruleSet, write, root, project, trustFile } = scratch();
  write('project/.hookline/rules/a.yaml', PROJECT_RULES);
  write('project/.hookline/rules/guard.yaml', 'rules: [{id: guard, deny: no}]');
  setTrust(project, projectHash(project), trustFile);
  const rules = ruleSet();
  const trusted = () => rules.inForce(project).rules.some(({ id }) => id === 'allow');
  expect(trusted()).toBe(true);
  rmSync(join(root, 'project/.hookline/rules/guard.yaml'));
  expect(trusted()).toBe(false);
  setTrust(project, projectHash(project), trustFile);
  expect(trusted()).toBe(true);
  setTrust(project, null, trustFile);
  expect(trusted()).toBe(false);
});

test('trust applies to one project, and an unreadable trust file trusts none', () => {
  const { ruleSet, write, root, project, trustFile } = scratch();
  write('project/.hookline/rules/a.yaml', PROJECT_RULES);
  write('other/.hookline/rules/a.yaml', PROJECT_RULES);
  setTrust(project, projectHash(project), trustFile);
  const count = (at: string) => ruleSet().inForce(at).rules.length;
  expect(count(project)).toBe(7);
  expect(count(join(root, 'other'))).toBe(2);
  writeFileSync(trustFile, '{"broken');
  expect(count(project)).toBe(2);
});

test('a user can disable pack rules and own rules, but not system rules', () => {
  const { ruleSet, write } = scratch();
  write('system/a.yaml', 'rules: [{id: law, deny: no}]');
  write('user/a.yaml', 'rules: [{id: mine, deny: no}]');
  const ids = ruleSet({
    packs: { ...quiet, quality: 'on' },
    off: ['law', 'mine', 'quality/no-verify'],
  })
    .inForce(null)
    .rules.map(({ id }) => id);
  expect(ids).toContain('law');
  expect(ids).not.toContain('mine');
  expect(ids).not.toContain('quality/no-verify');
  expect(ids).toContain('quality/clean-tree');
});

test('a pack may be asked to observe only', () => {
  const { ruleSet } = scratch();
  const { rules } = ruleSet({ packs: { ...quiet, git: 'observe', quality: 'on' } }).inForce(null);
  expect(rules.filter(({ pack }) => pack === 'git').every(({ observing }) => observing)).toBe(true);
  expect(rules.filter(({ pack }) => pack === 'quality').some(({ observing }) => observing)).toBe(false);
});

test('an unknown pack is reported', () => {
  const { ruleSet } = scratch();
  const { problems } = ruleSet({ packs: { ...quiet, gti: 'on' } }).inForce(null);
  expect(problems[0]?.message).toMatch(/unknown pack "gti"/);
});

test('repeated lookups return the same objects until a file changes', () => {
  const { ruleSet, write, project } = scratch();
  const rules = ruleSet({ packs: { ...quiet, quality: 'on' } });
  const before = rules.inForce(project);
  expect(rules.inForce(project)).toBe(before);
  write('user/a.yaml', 'rules: [{id: a, deny: no}]');
  expect(rules.inForce(project).rules.map(({ id }) => id)).toContain('a');
});
