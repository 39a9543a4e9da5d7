import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { printed } from '../../test/support/cli.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { openScriptKeys } from '../access/script-keys.ts';
import { editorLine } from '../home/editor-line.ts';
import { openHomeGrants } from '../home/engine.ts';
import { type HomePaths, homePaths } from '../home/paths.ts';
import approvals from './approvals/approvals.ts';
import grants from './approvals/grants.ts';
import type { Command } from './command.ts';
import history from './history/history.ts';
import hooks from './hooks/hooks.ts';
import rules from './rules/rules.ts';

let paths: HomePaths;

beforeEach(() => {
  const home = scratchFolder();
  paths = homePaths(home);
  vi.stubEnv('HOOKLINE_HOME', home);
  vi.stubEnv('HOOKLINE_SCRIPT_KEY', openScriptKeys(paths.scriptKeys).create('test') ?? '');
  onTestFinished(() => void vi.unstubAllEnvs());
});

const said = async (command: Command, ...args: string[]) => (await printed(command, args)).join('\n');

test('alone they list', async () => {
  expect(await said(grants)).toBe('No grants.');
  expect(await said(rules)).toContain('No rules of your own.');
  expect(await said(hooks)).toBe(await said(hooks, 'list'));
  await expect(rules.run(['xyz'])).rejects.toThrow('Unknown subcommand "xyz". Use one of list, add, check');
});

test.each([
  [rules, 'lst', 'list'],
  [hooks, 'nwe', 'new'],
  [grants, 'revok', 'revoke'],
  [history, 'exprt', 'export'],
  [approvals, 'grnts', 'grants'],
] as const)('a slip in the second word gets a suggestion', async (command, typed, meant) => {
  await expect(command.run([typed])).rejects.toThrow(`Unknown subcommand "${typed}". Did you mean ${meant}?`);
});

test('suggestions are shown without a person, and accepted only by one', async () => {
  vi.stubEnv('HOOKLINE_SCRIPT_KEY', undefined);
  expect(await said(rules, 'learn')).toContain('No suggestions');
  await expect(rules.run(['learn', '--yes'])).rejects.toThrow('Only a person can change rules');
});

test('a wrong call gets the usage before it is checked who calls', async () => {
  await expect(rules.run(['add'])).rejects.toThrow("Example: `hookline rules add 'npm publish'");
  await expect(rules.run(['enforce'])).rejects.toThrow('Missing rule or pack.');
  await expect(rules.run(['import'])).rejects.toThrow('Missing source.');
  await expect(hooks.run(['new'])).rejects.toThrow('Missing hook name.');
  await expect(rules.run(['add', 'ls', '--allow'])).rejects.toThrow(/only|person|terminal/i);
});

test('a grant is revoked by the beginning of its id, when no other has the same', async () => {
  const file = openHomeGrants(paths);
  for (const id of ['3fa9c210', '3fb00000']) {
    file.add({
      id,
      behavior: 'allow',
      scope: 'always',
      key: 'mcp a b {}',
      text: id,
      covers: 'this call',
      sessionId: null,
      project: null,
      branch: null,
      cwd: null,
      place: null,
      createdAt: '2026-11-01T00:00:00.000Z',
      expiresAt: null,
      by: 'dora',
      eventId: null,
    });
  }
  await expect(grants.run(['revoke', '3f', '--as-script'])).rejects.toThrow('More than one grant');
  await expect(grants.run(['revoke', 'zz', '--as-script'])).rejects.toThrow('Unknown grant zz.');
  expect(await said(grants, 'revoke', '3fa', '--as-script')).toBe('Revoked: 3fa9c210');
});

test('rules add appends a rule for a command', async () => {
  const add = (...args: string[]) => said(rules, 'add', ...args, '--yes', '--as-script');
  await add('npm publish', '--deny', 'CI publishes.');
  await add('npm publish', '--ask', 'Really?', '--id', 'look');
  expect(readFileSync(join(paths.rules, 'own.yaml'), 'utf8')).toBe(
    `${editorLine('rules')}rules:\n  - id: npm-publish\n    command: npm publish\n    deny: CI publishes.\n` +
      '  - id: look\n    command: npm publish\n    ask: Really?\n',
  );
  expect(await add('npm publish', '--allow')).toContain('npm-publish-2');
  expect(await said(rules, 'list')).toContain('look');
  await expect(rules.run(['add', 'x', '--as-script'])).rejects.toThrow('Pass --deny');
  await expect(rules.run(['add', '--deny', 'x', '--as-script'])).rejects.toThrow('Missing command');
});
