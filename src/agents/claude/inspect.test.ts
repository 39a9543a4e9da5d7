import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ScratchMachine } from '../../../test/support/agents/setup.ts';
import type { Finding, SetupContext } from '../setup/setup.ts';
import claude from './index.ts';
import { fatalEntries, inspect as inspectSettings } from './inspect.ts';
import { managedFolder } from './setup.ts';

let machine: ScratchMachine;
let context: SetupContext;
let user: string;
let project: string;
let managed: string;

beforeEach(() => {
  machine = new ScratchMachine();
  const forwarder = join(machine.home, 'bin', 'hookline-forward');
  machine.write(forwarder, '');
  context = machine.context({ forwarder });
  user = join(machine.home, '.claude', 'settings.json');
  project = join(context.cwd, '.claude', 'settings.json');
  managed = join(machine.home, 'etc');
});

const inspect = (changes: Partial<SetupContext> = {}) => inspectSettings({ ...context, ...changes }, managed);
const codes = (findings: readonly Finding[]) => findings.map(({ code }) => code);

function changeUser(change: (hooks: Record<string, { hooks: object[] }[]>) => object): void {
  const { hooks } = JSON.parse(readFileSync(user, 'utf8'));
  machine.write(user, JSON.stringify(change(hooks)));
}

function hook(timeout: number): object {
  return { hooks: [{ type: 'command', command: 'x', timeout }] };
}

describe('our entries', () => {
  test('are there', () => {
    machine.install(claude.setup, context);
    expect(inspect()).toEqual([
      { level: 'ok', code: 'set-up', message: `${user} forwards 30 events.`, fix: null },
    ]);
  });

  test("are present with the user's choices", () => {
    machine.install(claude.setup, { ...context, failClosed: true, events: ['MessageDisplay'] });
    expect(codes(inspect())).toEqual(['set-up']);
  });

  test('are missing', () => {
    expect(codes(inspect())).toEqual(['not-set-up']);
    machine.install(claude.setup, context);
    expect(codes(inspect({ scope: 'project' }))).toEqual(['not-set-up']);
  });

  test('reports entries that call another or a missing forwarder', () => {
    machine.install(claude.setup, context);
    const other = join(machine.home, 'hookline-forward-2');
    machine.write(other, '');
    expect(inspect({ forwarder: other })[0]).toMatchObject({ code: 'stale-path', level: 'problem' });
    machine.install(claude.setup, { ...context, forwarder: '/gone/hookline-forward' });
    expect(inspect({ forwarder: '/gone/hookline-forward' })[0]?.message).toContain('/gone/hookline-forward');
  });

  test('are missing on some events', () => {
    machine.install(claude.setup, { ...context, events: ['-Stop', '-Setup'] });
    expect(inspect()[0]).toMatchObject({
      code: 'missing-events',
      message: expect.stringContaining('Setup, Stop'),
    });
  });

  test('were changed by hand, or got a matcher', () => {
    machine.install(claude.setup, context);
    changeUser((hooks) => ({
      hooks: {
        ...hooks,
        Stop: [{ hooks: [{ ...hooks.Stop?.[0]?.hooks[0], async: true }] }],
        PreToolUse: [{ matcher: 'Bash', ...hooks.PreToolUse?.[0] }],
        PostToolUse: [{ matcher: '*', ...hooks.PostToolUse?.[0] }],
      },
    }));
    const [changed, narrowed, ...more] = inspect();
    expect(changed).toMatchObject({ code: 'changed-entries', message: expect.stringMatching(/: Stop\.$/) });
    expect(narrowed).toMatchObject({ code: 'narrowed', message: expect.stringMatching(/of PreToolUse\.$/) });
    expect(more).toEqual([]);
  });

  test('in two scopes run twice only if they differ', () => {
    machine.install(claude.setup, context);
    machine.install(claude.setup, { ...context, scope: 'project' });
    expect(codes(inspect())).toEqual(['set-up']);
    machine.install(claude.setup, { ...context, scope: 'project', forwarder: '/other/hookline-forward' });
    expect(inspect()[1]).toMatchObject({ code: 'set-up-twice', message: expect.stringContaining(project) });
  });
});

describe('what keeps hooks from running', () => {
  beforeEach(() => machine.install(claude.setup, context));

  test.each([
    ['project/.claude/settings.json', 'Remove that line.'],
    ['project/.claude/settings.local.json', 'Remove that line.'],
    ['etc/managed-settings.json', 'Ask the administrator of this machine.'],
    ['etc/managed-settings.d/10-hooks.json', 'Ask the administrator of this machine.'],
  ])('disableAllHooks in %s', (file, fix) => {
    machine.write(join(machine.home, file), '{"disableAllHooks": true}');
    expect(inspect()[1]).toMatchObject({ level: 'problem', code: 'hooks-disabled', fix });
  });

  test('disableAllHooks in our own file', () => {
    changeUser((hooks) => ({ hooks, disableAllHooks: true }));
    expect(codes(inspect())).toEqual(['set-up', 'hooks-disabled']);
    changeUser((hooks) => ({ hooks, disableAllHooks: false }));
    expect(codes(inspect())).toEqual(['set-up']);
  });

  test('allowManagedHooksOnly, which counts only in managed settings', () => {
    machine.write(project, '{"allowManagedHooksOnly": true}');
    expect(codes(inspect())).toEqual(['set-up']);
    machine.write(join(managed, 'managed-settings.json'), '{"allowManagedHooksOnly": true}');
    expect(inspect()[1]).toMatchObject({ level: 'problem', code: 'managed-only' });
  });

  test('an unreadable file, ours or another', () => {
    machine.write(project, '{');
    expect(inspect()[0]).toMatchObject({
      level: 'problem',
      code: 'settings-unreadable',
      message: expect.stringContaining(project),
      fix: expect.stringContaining('Correct the file'),
    });
    machine.write(user, '{"disableAllHooks": 1, "disableAllHooks": 2}');
    expect(codes(inspect())).toEqual(['settings-unreadable', 'settings-unreadable']);
  });

  test('a foreign entry that makes the client drop the file', () => {
    changeUser((hooks) => ({ hooks: { ...hooks, PermissionRequest: [{ hooks: [{ type: 'shell' }] }] } }));
    expect(inspect().find(({ code }) => code === 'invalid-entries')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining('hooks.PermissionRequest[0].hooks[0].type'),
    });
  });
});

describe('foreign hooks', () => {
  test('are counted, with a warning if they race with ours', () => {
    machine.write(user, JSON.stringify({ hooks: { Stop: [hook(5)] } }));
    machine.write(project, JSON.stringify({ hooks: { Stop: [hook(5)], Notification: [hook(5)] } }));
    expect(inspect()[1]).toEqual({
      level: 'ok',
      code: 'foreign-hooks',
      message: '3 hooks of others on Stop, Notification run in parallel with ours.',
      fix: null,
    });
    machine.write(user, JSON.stringify({ hooks: { PreToolUse: [hook(5)] } }));
    expect(inspect()[1]).toMatchObject({ level: 'warning', code: 'foreign-hooks' });
  });

  test('with a timeout of hours were probably meant in milliseconds', () => {
    machine.write(user, JSON.stringify({ hooks: { Stop: [hook(3600)], SessionEnd: [hook(5000)] } }));
    expect(inspect()[1]).toMatchObject({
      code: 'timeout-unit',
      message: expect.stringContaining('on SessionEnd that'),
    });
  });
});

// Each of these was given to the client (2.1.325): the refused ones made it ignore the file.
describe('fatalEntries', () => {
  const handlers = (...hooks: unknown[]) => ({ PreToolUse: [{ hooks }] });
  const command = { type: 'command', command: 'x' };

  test.each([
    { PreToolUse: null },
    { PreToolUse: [] },
    handlers(),
    handlers({ ...command, command: '' }),
    handlers({ ...command, timeout: 1.5, zzz: 1 }),
    { Stop: [{}], Invented: 5 },
  ])('the client accepts %j', (hooks) => {
    expect(fatalEntries(hooks)).toEqual([]);
  });

  test.each([
    { PreToolUse: {} },
    { PreToolUse: [{}] },
    { PreToolUse: [null] },
    { PermissionRequest: [{ hooks: {} }] },
    { PermissionRequest: [{ matcher: 5, hooks: [] }] },
    handlers('x'),
    handlers({ command: 'x' }),
    handlers({ type: 'command' }),
    handlers({ type: 'nope', command: 'x' }),
    handlers({ ...command, timeout: 0 }),
    handlers({ ...command, timeout: '30' }),
    handlers({ ...command, onFailure: 'deny' }),
    handlers({ ...command, async: 'yes' }),
    handlers({ type: 'http', url: 'not a url' }),
  ])('the client rejects %j', (hooks) => {
    expect(fatalEntries(hooks)).toHaveLength(1);
  });
});

test.each([
  ['linux', '/etc/claude-code'],
  ['darwin', '/Library/Application Support/ClaudeCode'],
] as const)('managed settings on %s', (platform, folder) => {
  expect(managedFolder(platform)).toBe(folder);
});

test('detect reads the version from the line the client prints', async () => {
  const client = join(machine.home, 'bin', 'claude');
  machine.write(
    client,
    '#!/bin/sh\n[ "$DISABLE_AUTOUPDATER$DISABLE_TELEMETRY" = 11 ] && echo "2.1.325 (Claude Code)"\n',
  );
  chmodSync(client, 0o755);
  const env = { PATH: `${join(machine.home, 'bin')}:/usr/bin:/bin` };
  expect(await claude.setup.detect({ ...context, env })).toEqual({
    installed: true,
    path: client,
    version: '2.1.325',
  });
});
