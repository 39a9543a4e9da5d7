import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScratchMachine } from '../../../test/support/agents/setup.ts';
import type { SetupContext } from '../setup/setup.ts';
import copilot from './index.ts';
import { hooksPath } from './setup.ts';

const { setup, imports, permissions } = copilot;

function codes(context: SetupContext): readonly string[] {
  return setup.inspect(context).map(({ code }) => code);
}

function machineWith(files: Readonly<Record<string, object>>): ScratchMachine {
  const machine = new ScratchMachine();
  for (const [name, value] of Object.entries(files))
    machine.write(join(machine.home, name), JSON.stringify(value));
  return machine;
}

const FLAT = { type: 'command', bash: './check.sh', matcher: 'Bash', timeoutSec: 5 };

describe('detects', () => {
  test('nothing, entries, and disabled entries', () => {
    const machine = new ScratchMachine();
    const context = machine.context();
    expect(codes(context)).toEqual(['not-set-up']);
    machine.install(setup, context);
    expect(codes(context)).not.toContain('not-set-up');
    const [edit] = setup.plan(machine.context({ scope: 'project' }));
    const text = edit?.after?.replace('{', '{ "disableAllHooks": true,') ?? '';
    machine.write(hooksPath(context), text);
    expect(codes(context)).toContain('hooks-disabled');
  });

  test('entries in a project only, which need trust', () => {
    const machine = new ScratchMachine();
    const context = machine.context({ scope: 'project' });
    machine.install(setup, context);
    expect(codes(context)).toContain('needs-trust');
    machine.install(setup, machine.context());
    expect(codes(context)).toContain('called-twice');
    expect(codes(context)).not.toContain('needs-trust');
  });

  test("entries in another client's file, which this one runs too", () => {
    const handler = { type: 'command', command: '/opt/hookline/hookline-forward claude PreToolUse' };
    const machine = machineWith({
      'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [handler] }] } },
    });
    expect(codes(machine.context())).not.toContain('called-twice');
    machine.install(setup, machine.context());
    expect(codes(machine.context())).toContain('called-twice');
  });

  test('foreign hooks that may change what was evaluated', () => {
    const machine = machineWith({ '.copilot/hooks/mine.json': { hooks: { PreToolUse: [FLAT] } } });
    const found = setup.inspect(machine.context()).find(({ code }) => code === 'foreign-hooks');
    expect(found?.message).toContain('may change the arguments');
  });
});

test('the user chooses the failure mode', () => {
  const machine = new ScratchMachine();
  const commands = (failClosed: boolean) => setup.plan(machine.context({ failClosed }))[0]?.after ?? '';
  expect(commands(false)).not.toContain('could not check');
  expect(commands(true)).toContain('permissionDecision');
  expect(commands(true)).toContain('behavior');
});

describe('foreign hooks', () => {
  test('are found in every file, moved and restored unchanged', () => {
    const nested = { matcher: 'Edit', hooks: [{ type: 'command', command: './lint.sh' }] };
    const machine = machineWith({
      '.copilot/hooks/mine.json': {
        version: 1,
        hooks: { preToolUse: [FLAT, { ...FLAT, bash: './two.sh' }] },
      },
      'project/.github/hooks/team.json': { hooks: { PostToolUse: [nested] } },
    });
    const before = machine.contents();
    const context = machine.context();
    const found = imports?.find(context) ?? [];
    expect(found.map(({ entry }) => entry)).toEqual([
      {
        type: 'command',
        dialect: 'copilot',
        event: 'preToolUse',
        matcher: 'Bash',
        command: './check.sh',
        timeout: '5s',
        from: 'copilot',
      },
      {
        type: 'command',
        dialect: 'copilot',
        event: 'preToolUse',
        matcher: 'Bash',
        command: './two.sh',
        timeout: '5s',
        from: 'copilot',
      },
      {
        type: 'command',
        dialect: 'copilot',
        event: 'PostToolUse',
        matcher: 'Edit',
        command: './lint.sh',
        from: 'copilot',
        project: context.cwd,
      },
    ]);
    expect(found.map(({ label }) => label)).toEqual(['check', 'two', 'lint']);
    for (const edit of imports?.remove(context, found) ?? []) machine.write(edit.path, edit.after ?? '');
    expect(imports?.find(context)).toEqual([]);
    const moved = found.map(({ path, placed: { event, matcher, handler } }) => ({
      path,
      event,
      matcher,
      handler,
    }));
    for (const edit of imports?.restore(context, moved) ?? []) machine.write(edit.path, edit.after ?? '');
    const parsed = (contents: Record<string, string>) =>
      Object.entries(contents).map(([path, text]) => [path, text === 'folder' ? text : JSON.parse(text)]);
    expect(parsed(machine.contents())).toEqual(parsed(before));
  });

  test.each([
    ['an empty matcher, which matches nothing', { ...FLAT, matcher: '' }],
    ['a server', { type: 'http', url: 'https://example.com' }],
    ['a folder of its own', { ...FLAT, cwd: '/x' }],
  ])('stay in place with %s', (_, handler) => {
    const machine = machineWith({ '.copilot/settings.json': { hooks: { PreToolUse: [handler] } } });
    expect(imports?.find(machine.context())).toMatchObject([
      { entry: null, why: expect.stringMatching(/./) },
    ]);
  });
});

test('folder approvals become permissions there, and addresses become rules', () => {
  const approvals = {
    locations: {
      '/shop': {
        tool_approvals: [
          { kind: 'commands', commandIdentifiers: ['npm test'] },
          { kind: 'write' },
          { kind: 'mcp', serverName: 'github', toolName: null },
          { kind: 'memory' },
        ],
      },
    },
    deniedUrls: ['*.evil.example', 'https://example.com/path'],
  };
  const { rules, notes } = permissions?.read(JSON.stringify(approvals), 'x') ?? { rules: [], notes: [] };
  expect(rules).toMatchObject([
    { host: '*.evil.example', deny: expect.anything() },
    { cwd: ['/shop', '/shop/**'], command: 'npm test', allow: true },
    { cwd: ['/shop', '/shop/**'], writes: '/shop/**', allow: true },
    { cwd: ['/shop', '/shop/**'], mcp: 'github', allow: true },
  ]);
  expect(notes.map(({ what }) => what)).toEqual(['deny https://example.com/path', 'memory in /shop']);
});
