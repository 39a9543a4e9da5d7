import { expect, test } from 'vitest';
import { parseRules } from '../rules/files/load.ts';
import { openPack, packNames } from '../rules/pack.ts';
import { parseConfig } from './config.ts';
import { ruleWarnings } from './rule-warnings.ts';

/** The warnings for a rule with these conditions, and whether it can never match. */
function said(conditions: string): readonly [string, boolean][] {
  const { rules, problems } = parseRules(`rules:\n  - { id: r, ${conditions}, deny: No. }\n`, 'own.yaml');
  expect(problems).toEqual([]);
  const warnings = ruleWarnings(
    { rules, unknownDisabledIds: [], untrustedRules: [] },
    { packs: {}, disabledRules: [], former: [] },
  );
  return warnings.map(({ where, message, never }) => {
    expect(where).toBe('own.yaml:2:5');
    return [message.replace(/^rule r: /, ''), never];
  });
}

test.each([
  ['effects: delte', /unknown effect "delte"; did you mean delete\?/],
  ['effects: Delete recursive', /unknown effect "Delete"; did you mean delete\?/],
  ['effects: delete recursiv', /"delete" can't be "recursiv"; did you mean recursive\?/],
  ['effects: [read, delete quickly]', /"delete" can't be "quickly"; it can be recursive, force/],
  ['effects: expose elevated', /"expose" can't be "elevated"/],
  ['effects: destroy', /unknown effect "destroy"; known effects: run, read, write/],
  ['host: "https://x.example"', /is a URL; use the host name x\.example$/],
  ['host: "https://me@x.example:8080/a/b"', /is a URL; use the host name x\.example$/],
  ['host: x.example/api', /is a URL; use the host name x\.example$/],
  ['host: "*://x.example"', /is a URL; use the host name x\.example$/],
  ['mcp: mcp__linear__create_issue', /never matches.*; use linear\/create_issue$/],
  ['command: git push, unless: { effects: vcs push, host: "http://x" }', /is a URL; use the host name x$/],
])('%s can never match', (conditions, message) => {
  expect(said(conditions)).toEqual([[expect.stringMatching(message), true]]);
});

test.each([
  ['agent: cluade', /unknown agent "cluade"; did you mean claude\?/],
  ['agent: mine', /unknown agent "mine"; known agents: claude, /],
  ['tool: Raed', /unknown tool "Raed"; did you mean Read\?/],
  ['tool: [Bash, webFetch]', /"webFetch"; did you mean WebFetch\?/],
  ['effects: vcs push forced', /"vcs forced" is not known; did you mean force\?/],
  ['effects: system shutdwn', /"system shutdwn" is not known; did you mean shutdown\?/],
  [String.raw`writes: 'C:\work\**'`, /has a Windows drive; use \/c\/work\/\*\*$/],
  ['host: "x.example:443"', /includes a port; use x\.example$/],
])('%s is doubtful', (conditions, message) => {
  expect(said(conditions)).toEqual([[expect.stringMatching(message), false]]);
});

test.each([
  'effects: delete recursive elevated',
  'effects: resource aws destructive',
  'effects: [run disposable, resource disposable]',
  'effects: vcs frobnicate',
  'effects: [env set MY_VARIABLE, package npm publish, execute python network, privilege doas]',
  'agent: [claude, opencode]',
  // Names of an unknown agent, server or client.
  'tool: [Bash, bash, run_shell_command, mcp__github__merge, mcp__*, LSP, KillShell, Skill]',
  'mcp: no-such-server/no-such-tool',
  'host: [x.example, "*.example", localhost, "[::1]", 10.0.0.1, /var/run/postgresql]',
])('%s causes no warning', (conditions) => {
  expect(said(conditions)).toEqual([]);
});

test('no rule of a pack can never match', () => {
  const rules = packNames()
    .flatMap((name) => openPack(name, false, {}).rules())
    .map((rule) => ({ ...rule, layer: 'user' as const }));
  const warnings = ruleWarnings(
    { rules, unknownDisabledIds: [], untrustedRules: [] },
    { packs: {}, disabledRules: [], former: [] },
  );
  // A place that is filled in per machine.
  expect(warnings.filter(({ message }) => !message.includes('<'))).toEqual([]);
});

test('reports unknown IDs and packs', () => {
  const config = {
    packs: { gti: 'off', git: 'off' },
    disabledRules: ['persistence/services'],
    former: [],
  } as const;
  const found = {
    rules: [],
    unknownDisabledIds: ['git/force-psh', 'cloud/read-secrets', 'nothing-like-it'],
    untrustedRules: [],
  };
  expect(ruleWarnings(found, config).map(({ message, never }) => [message, never])).toEqual([
    ['packs: unknown pack "gti"; did you mean git?', false],
    [expect.stringContaining('persistence/services is now a part of persistence/starts'), false],
    [
      expect.stringMatching(
        /disabledRules: no rule here has the id "git\/force-psh"; did you mean git\/force-push\?/,
      ),
      false,
    ],
    [expect.stringMatching(/"nothing-like-it"; `hookline rules list --all`/), false],
  ]);
});

test('reports rules of an untrusted project', () => {
  const { rules } = parseRules('rules:\n  - { id: r, command: ls, allow: true }\n', 'own.yaml');
  expect(
    ruleWarnings(
      { rules: [], unknownDisabledIds: [], untrustedRules: rules },
      { packs: {}, disabledRules: [], former: [] },
    ),
  ).toEqual([
    { where: 'own.yaml:2:5', message: expect.stringContaining('run `hookline trust`'), never: false },
  ]);
});

test('reports a renamed setting with its current name', () => {
  const config = parseConfig('rulesOff: [git/force-push]', 'config.yaml');
  expect(ruleWarnings({ rules: [], unknownDisabledIds: [], untrustedRules: [] }, config)).toEqual([
    {
      where: 'config.yaml',
      message: '"rulesOff" is called "disabledRules" now; the old name still works',
      never: false,
    },
  ]);
});
