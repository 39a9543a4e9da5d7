import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { jsonSettingsCases, ScratchMachine, testSetup } from '../../../test/support/agents/setup.ts';
import { REFUSAL } from '../refusals.ts';
import type { SetupContext } from '../setup/setup.ts';
import { payloads } from './decode.ts';
import gemini from './index.ts';
import { EVENTS, hookCommand, hooksPath, ours, parseHookCommand, settings } from './setup.ts';

const foreignHook = { type: 'command', command: 'npx prettier --check .', timeout: 20_000 };
const foreign = {
  BeforeTool: [{ matcher: 'write_file|replace', sequential: true, hooks: [foreignHook] }],
  SessionEnd: [{ hooks: [foreignHook] }],
};
const busy = { ui: { theme: 'dark' }, hooksConfig: { notifications: false }, hooks: foreign };
const lines = (value: unknown, indent: string | number) => JSON.stringify(value, null, indent);

const shared = { ...jsonSettingsCases('BeforeTool', { comments: true }), settingsPath: hooksPath };

testSetup(gemini.setup, {
  ...shared,
  scopes: ['user', 'project'],
  samples: {
    'empty file': '',
    'empty object': '{}',
    'other settings only': '{\n  "ui": {}\n}\n',
    'hooks of others': `${lines(busy, 2)}\n`,
    tabs: lines(busy, '\t'),
    CRLF: `${lines(busy, 2)}\n`.replaceAll('\n', '\r\n'),
    'comments, which this client reads': `// mine\n{\n  /* kept */ "ui": {}, // and this\n}\n`,
  },
});

testSetup(gemini.setup, {
  ...shared,
  scopes: ['extension'],
  samples: {
    'hooks of others in the same place': `${lines({ hooks: foreign }, 2)}\n`,
    minified: lines({ hooks: foreign }, 0),
  },
  broken: { ...shared.broken, 'a comment, which it does not read there': '// mine\n{}' },
});

let machine: ScratchMachine;
let context: SetupContext;

beforeEach(() => {
  machine = new ScratchMachine();
  context = machine.context({ scope: 'extension' });
});

describe('the files', () => {
  test.each([
    ['extension', {}, '.gemini/extensions/hookline/hooks/hooks.json'],
    ['user', {}, '.gemini/settings.json'],
    ['user', { GEMINI_CLI_HOME: '../other' }, 'other/.gemini/settings.json'],
    ['extension', { GEMINI_CLI_HOME: '/x' }, '/x/.gemini/extensions/hookline/hooks/hooks.json'],
    ['project', { GEMINI_CLI_HOME: '/x' }, 'project/.gemini/settings.json'],
  ] as const)('in %s scope with %j', (scope, env, expected) => {
    const path = hooksPath(machine.context({ scope, env }));
    expect(path).toBe(expected.startsWith('/') ? expected : join(machine.home, expected));
  });

  test('of the extension are these', async () => {
    const edits = gemini.setup.plan(context);
    const text = edits.map(({ path, after }) => `${path.slice(machine.home.length)}\n${after}`).join('\n');
    await expect(text).toMatchFileSnapshot('setup-extension.snap');
  });

  test('of another extension of that name stay unchanged', () => {
    machine.write(ours.manifestPath(context), '{"name": "other"}');
    expect(() => gemini.setup.plan(context)).toThrow(
      expect.objectContaining({ code: 'SETTINGS_UNREADABLE' }),
    );
    expect(gemini.setup.planRemoval(context)).toEqual([]);
  });

  test('leave no directory behind', () => {
    const before = machine.contents();
    machine.install(gemini.setup, context);
    expect(existsSync(ours.manifestPath(context))).toBe(true);
    machine.remove(gemini.setup, context);
    expect(machine.contents()).toEqual(before);
  });

  test('are removed without the journal too', () => {
    machine.install(gemini.setup, context);
    machine.loseJournal();
    machine.remove(gemini.setup, context);
    expect(existsSync(ours.manifestPath(context)) || existsSync(hooksPath(context))).toBe(false);
  });
});

describe('the entries', () => {
  test('cover every event of the client except the one for every piece of text', () => {
    expect(Object.keys(EVENTS).sort()).toEqual([...payloads.names].sort());
    const wanted = settings.wanted(context);
    expect(payloads.names.filter((event) => !wanted.has(event))).toEqual(['AfterModel']);
  });

  test('follow the requested options', () => {
    const wanted = settings.wanted({ ...context, events: ['AfterModel', '-PreCompress'] });
    expect([wanted.has('AfterModel'), wanted.has('PreCompress')]).toEqual([true, false]);
    for (const events of [['PreToolUse'], ['-constructor']])
      expect(() => settings.wanted({ ...context, events })).toThrow(
        expect.objectContaining({ code: 'USAGE' }),
      );
  });

  test('use milliseconds, within the range of a timer', () => {
    for (const { timeout } of settings.wanted(context).values()) {
      expect(timeout).toBeGreaterThanOrEqual(10_000);
      expect(timeout).toBeLessThan(2 ** 31);
    }
  });
});

describe('the command', () => {
  const forwarders = ['/opt/hookline-forward', "/it's here/hookline-forward", '/x y/dist/forward.js'];
  const options = (['linux', 'win32'] as const).flatMap((platform) =>
    [true, false].map((failClosed) => ({ platform, failClosed })),
  );

  test.each(forwarders.flatMap((path) => options.map((option) => ({ path, option }))))(
    'is recognized: $path $option',
    ({ path, option }) => {
      const command = hookCommand(path, 'BeforeTool', option);
      expect(parseHookCommand(command)).toEqual({ forwarder: path, event: 'BeforeTool' });
    },
  );

  test('is skipped without a forwarder, except in failure mode closed', () => {
    const [open, closed] = [false, true].map((failClosed) =>
      hookCommand('/opt/hookline-forward', 'AfterTool', { failClosed, platform: 'linux' }),
    );
    expect(open).toBe('[ ! -e /opt/hookline-forward ] || /opt/hookline-forward gemini AfterTool');
    expect(closed).toBe('/opt/hookline-forward gemini AfterTool');
  });

  test.each(['BeforeTool', 'BeforeAgent'])('of %s denies on any failure in failure mode closed', (event) => {
    const options = { failClosed: true, platform: 'linux' } as const;
    const command = hookCommand('/no/such/hookline-forward', event, options);
    const { status, stderr } = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain(REFUSAL);
  });

  test.each(['echo hi', '[ ! -e /x ] || rm -rf /', '/opt/hookline-forward claude Stop', '& calc'])(
    "of others isn't ours: %s",
    (command) => {
      expect(parseHookCommand(command)).toBe(null);
    },
  );
});

test('detect asks the client for its version', async () => {
  const client = join(machine.home, 'bin', 'gemini');
  machine.write(client, '#!/bin/sh\n[ "$GEMINI_CLI_NO_RELAUNCH" = true ] && echo 0.61.0\n');
  chmodSync(client, 0o755);
  const env = { PATH: `${join(machine.home, 'bin')}:/usr/bin:/bin` };
  expect(await gemini.setup.detect({ ...context, env })).toEqual({
    installed: true,
    path: client,
    version: '0.61.0',
  });
});

test('linked settings stay linked', () => {
  const user = { ...context, scope: 'user' as const };
  machine.write(join(machine.home, 'dotfiles', 'gemini.json'), '{"ui": {}}');
  mkdirSync(join(machine.home, '.gemini'));
  symlinkSync(join(machine.home, 'dotfiles', 'gemini.json'), hooksPath(user));
  machine.install(gemini.setup, user);
  expect(readFileSync(join(machine.home, 'dotfiles', 'gemini.json'), 'utf8')).toContain('BeforeTool');
});
