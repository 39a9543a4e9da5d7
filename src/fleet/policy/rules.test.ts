import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { beforeTool } from '../../../test/support/store/store.ts';
import type { HookEvent } from '../../model/events.ts';
import { createFacts } from '../../rules/facts.ts';
import { createSessionMemory } from '../../rules/session/memory.ts';
import { realWorld } from '../../rules/world/machine.ts';
import type { PolicyDocument, Target } from './document.ts';
import { createRemotes, remoteName } from './remotes.ts';
import { policyRules } from './rules.ts';
import { filesFor, percentOf } from './target.ts';

const RULES =
  'rules:\n  - {id: no-deploy, deny: No., command: deploy}\n  - {id: may-look, allow: true, command: ls}\n';
const ALL_MACHINES: Target = { groups: [], repositories: [], agents: [] };

function documentFor(target: Partial<Target>): PolicyDocument {
  const set = { files: { 'a.yaml': RULES }, percent: 100, observe: false, before: null };
  return {
    team: 'test',
    version: 1,
    createdAt: '2026-11-17T00:00:00Z',
    restores: null,
    sets: [{ ...set, target: { ...ALL_MACHINES, ...target } }],
  };
}

const rulesFor = (target: Partial<Target>, groups: readonly string[] = []) =>
  policyRules(documentFor(target), { id: 'machine', groups }).rules;

/** IDs of the rules that match `deploy` in a directory. */
function matching(
  rules: ReturnType<typeof rulesFor>,
  more: Partial<Pick<HookEvent, 'source' | 'cwd'>> = {},
): readonly string[] {
  const event: HookEvent = { ...beforeTool('deploy now'), ...more };
  const facts = createFacts(
    event,
    realWorld(
      () => ({}),
      () => false,
    ),
    createSessionMemory(),
  );
  return rules.filter((rule) => rule.test(facts)).map(({ id }) => id);
}

test('a group has its own rules', () => {
  expect(rulesFor({ groups: ['web'] }, ['web', 'ops'])).toHaveLength(2);
  expect(rulesFor({ groups: ['web'] }, ['ops'])).toHaveLength(0);
  expect(rulesFor({ groups: ['web'] })).toHaveLength(0);
});

test("rules for an agent don't apply to others", () => {
  const rules = rulesFor({ agents: ['codex', 'gemini'] });
  expect(matching(rules, { source: 'codex' })).toEqual(['no-deploy']);
  expect(matching(rules, { source: 'claude' })).toEqual([]);
});

test('rules for a repository only tighten, and stay when its remote changes', () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, '.git'));
  const config = join(folder, '.git', 'config');
  const here = { cwd: folder, projectId: folder, projectDir: folder };
  writeFileSync(config, '[remote "origin"]\n\turl = git@github.com:Acme/pay.git\n');
  const rules = rulesFor({ repositories: ['github.com/acme/*'] });
  expect(rules.map(({ id }) => id)).toEqual(['no-deploy']);
  expect(matching(rules, here)).toEqual(['no-deploy']);
  expect(matching(rulesFor({ repositories: ['github.com/other/*'] }), here)).toEqual([]);
  writeFileSync(config, '[remote "origin"]\n\turl = https://example.com/elsewhere\n');
  expect(matching(rules, here)).toEqual(['no-deploy']);
});

test.each([
  ['on the line of its section', '[remote "origin"] url = git@github.com:acme/pay.git\n'],
  ['on two lines', '[remote "origin"]\n\tURL = git@github.com:ac\\\nme/pay.git\n'],
  ['to push to', '[remote "origin"]\n\turl = x\n\tpushurl = https://github.com/acme/pay\r\n'],
  // Each of these took many seconds, during which no call was answered.
  ['after many empty lines', `${'\n'.repeat(60_000)}url = github.com/acme/pay\n`],
  ['after many blanks', `url = a${' '.repeat(60_000)}b\nurl = github.com/acme/pay\n`],
])('finds a remote %s', (_, text) => {
  const folder = scratchFolder();
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'config'), text);
  expect(createRemotes()(folder)).toContain('github.com/acme/pay');
});

test.each([
  ['git@github.com:acme/pay.git', 'github.com/acme/pay'],
  ['https://github.com/Acme/pay', 'github.com/acme/pay'],
  ['https://maya:secret@github.com/acme/pay.git/', 'github.com/acme/pay'],
  ['ssh://git@git.example.com:2222/acme/pay.git', 'git.example.com/acme/pay'],
])('%s is %s', (url, name) => {
  expect(remoteName(url)).toBe(name);
});

test('a machine stays included as the percentage grows, and the share is about right', () => {
  const machines = Array.from({ length: 2_000 }, (_, at) => `machine-${at}`);
  const isIn = (id: string, percent: number) =>
    filesFor(
      documentFor({}).sets.map((set) => ({ ...set, percent })),
      { id, groups: [] },
    ).length > 0;
  const tenth = machines.filter((id) => isIn(id, 10));
  expect(tenth.every((id) => isIn(id, 50) && isIn(id, 100))).toBe(true);
  expect(tenth.length).toBeGreaterThan(140);
  expect(tenth.length).toBeLessThan(260);
  expect(machines.filter((id) => isIn(id, 100))).toHaveLength(2_000);
  expect(machines.filter((id) => isIn(id, 0))).toHaveLength(0);
  expect(Math.max(...machines.map(percentOf))).toBeLessThan(100);
});
