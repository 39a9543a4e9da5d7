import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchMachine } from '../../../test/support/agents/setup.ts';
import { history } from './history.ts';
import { imports, permissions } from './imports.ts';
import { setup } from './setup.ts';

const THEIRS = {
  hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: '~/guard.sh', timeout: 5 }] }] },
};

function machine() {
  const scratch = new ScratchMachine();
  const folder = join(scratch.home, '.factory');
  return {
    scratch,
    context: scratch.context(),
    own: join(folder, 'hooks.json'),
    shared: join(folder, 'settings.json'),
  };
}

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

test('hooks in settings.json stay active: ours are added there, and removed byte for byte', () => {
  const { scratch, context, own, shared } = machine();
  scratch.write(shared, `// mine\n${JSON.stringify(THEIRS, null, 2)}\n`);
  const before = scratch.contents();
  scratch.install(setup, context);
  expect(existsSync(own)).toBe(false);
  expect(readFileSync(shared, 'utf8')).toContain('hookline-forward droid PreToolUse');
  expect(readFileSync(shared, 'utf8')).toContain('~/guard.sh');
  expect(setup.plan(context)).toEqual([]);
  scratch.remove(setup, context);
  expect(scratch.contents()).toEqual(before);
});

test('settings without hooks stay unchanged: ours are in a separate file', () => {
  const { scratch, context, own, shared } = machine();
  scratch.write(shared, '{"model": "x"}');
  scratch.install(setup, context);
  expect(readFileSync(shared, 'utf8')).toBe('{"model": "x"}');
  expect(Object.keys(JSON.parse(readFileSync(own, 'utf8')))).toContain('PreToolUse');
});

test('a later hooks.json disables ours, which doctor reports and setup fixes', () => {
  const { scratch, context, own, shared } = machine();
  scratch.write(shared, JSON.stringify(THEIRS));
  scratch.install(setup, context);
  scratch.write(own, '{"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}');
  expect(codes(setup.inspect(context))).toEqual(expect.arrayContaining(['not-set-up', 'hooks-shadowed']));
  scratch.install(setup, context);
  expect(readFileSync(own, 'utf8')).toContain('hookline-forward');
  expect(readFileSync(shared, 'utf8')).not.toContain('hookline-forward');
  scratch.remove(setup, context);
  expect(readFileSync(own, 'utf8')).not.toContain('hookline-forward');
});

test.each([
  ['an entry without a type', [{ hooks: [{ command: 'true' }] }]],
  ['an entry of another type', [{ hooks: [{ type: 'prompt', prompt: 'ok?' }] }]],
  ['a group without entries', [{ matcher: 'Execute' }]],
  ['an event that is not a list', {}],
])('%s drops the whole file, which doctor reports', (_, groups) => {
  const { scratch, context, own } = machine();
  scratch.install(setup, context);
  const hooks = JSON.parse(readFileSync(own, 'utf8'));
  scratch.write(own, JSON.stringify({ ...hooks, SubagentStop: groups }));
  expect(setup.inspect(context)).toContainEqual(
    expect.objectContaining({ code: 'file-dropped', level: 'problem' }),
  );
});

test("unknown event keys don't drop it", () => {
  const { scratch, context, own } = machine();
  scratch.install(setup, context);
  const hooks = JSON.parse(readFileSync(own, 'utf8'));
  scratch.write(own, JSON.stringify({ ...hooks, NotYetInvented: {}, showHookOutput: true }));
  expect(codes(setup.inspect(context))).not.toContain('file-dropped');
});

test('a switch in the file itself is a problem', () => {
  const { scratch, context, own } = machine();
  scratch.install(setup, context);
  scratch.write(own, JSON.stringify({ ...JSON.parse(readFileSync(own, 'utf8')), hooksDisabled: true }));
  expect(setup.inspect(context)).toContainEqual(
    expect.objectContaining({ code: 'hooks-disabled', level: 'problem' }),
  );
});

test("finds the user's hooks where the client reads them", () => {
  const { scratch, context, own, shared } = machine();
  scratch.write(shared, JSON.stringify(THEIRS));
  expect(imports.find(context).map(({ entry }) => entry)).toEqual([
    {
      type: 'command',
      dialect: 'droid',
      event: 'PreToolUse',
      command: '~/guard.sh',
      timeout: '5s',
      from: 'droid',
    },
  ]);
  const moved = imports.remove(context, imports.find(context));
  expect(moved).toMatchObject([{ path: shared, after: '{}' }]);
  scratch.write(own, '{}');
  expect(imports.find(context)).toEqual([]);
});

test('command lists become rules; a permission covers only that line', () => {
  const text = JSON.stringify({
    commandBlocklist: ['git push --force'],
    commandDenylist: ['npm publish', ':(){ :|: & };:'],
    commandAllowlist: ['npm test', 'a | b'],
    permissionRules: { version: 1, rules: [] },
  });
  const { rules, notes } = permissions.read(text, 'settings.json');
  expect(rules).toMatchObject([
    { id: 'droid/deny/git-push---force', command: 'git push --force', deny: expect.any(String) },
    { command: 'npm publish', ask: expect.any(String) },
    { tool: 'Bash', when: expect.stringContaining('matches'), ask: expect.any(String) },
    { command: 'npm test', when: 'commands.size() == 1 && (tool.command == "npm test")', allow: true },
  ]);
  expect(notes.map(({ what }) => what)).toEqual(['commandAllowlist: a | b', 'permissionRules']);
});

test('adds a server with spaces in its path as one command', () => {
  expect(history.server?.add('hookline', ['node', '/my apps/hookline.js', 'mcp'])).toEqual([
    'mcp',
    'add',
    'hookline',
    "node '/my apps/hookline.js' mcp",
  ]);
});
