import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { beforeEach, describe, expect, test } from 'vitest';
import { ScratchMachine, testSetup } from '../../../test/support/agents/setup.ts';
import { REFUSAL } from '../refusals.ts';
import { parseForwarderCommand } from '../setup/forwarder-command.ts';
import type { PlacedHandler } from '../setup/hook-groups.ts';
import { applyEdits } from '../setup/journal.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import type { SetupContext } from '../setup/setup.ts';
import { payloads } from './decode.ts';
import { refusals } from './encode.ts';
import codex from './index.ts';
import { configPath, EVENTS, hooksPath, settings } from './setup.ts';
import { trustHash } from './trust.ts';

const foreignHook = { type: 'command', command: 'npx prettier --check .', timeout: 20 };
const busy = {
  description: 'mine',
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [foreignHook] },
      { matcher: 'Write|Edit', hooks: [foreignHook, { type: 'mcp_tool', server: 's', tool: 't' }] },
    ],
    Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }],
    SomethingNew: [{ hooks: [foreignHook] }],
    SubagentStop: [],
  },
};
const lines = (indent: string | number) => JSON.stringify(busy, null, indent);

testSetup(codex.setup, {
  settingsPath: hooksPath,
  samples: {
    'empty file': '',
    'empty object': '{}',
    'empty hooks': '{\n  "hooks": {}\n}\n',
    'hooks of others': `${lines(2)}\n`,
    'no newline at the end': lines(2),
    tabs: `${lines('\t')}\n`,
    CRLF: `${lines(2)}\n`.replaceAll('\n', '\r\n'),
    minified: JSON.stringify(busy),
    'odd layout':
      '{ "hooks" :{"Stop":[ {"hooks":[]} ],\n"PreToolUse" : [\n\n]} , "description":"\\u00e9é" }\n',
  },
  broken: {
    'text that ends early': '{"hooks": {',
    'a comment': '// mine\n{}',
    'a byte order mark': '\uFEFF{}',
    'a list of hooks': '{"hooks": []}',
    'hooks that are null': '{"hooks": null}',
    'an event that is not a list': '{"hooks": {"PreToolUse": {}}}',
    'a key that the client does not know': '{"hooks": {}, "theme": "dark"}',
    'a kind of hook that the client does not have': '{"hooks": {"Stop": [{"hooks": [{"type": "http"}]}]}}',
  },
  userEdit(text) {
    const settings = new SettingsDocument(text, { path: 'test' });
    settings.set(['description'], 'changed');
    return settings.toString();
  },
  parse(text) {
    const meaning = JSON.parse(text.trim() || '{}');
    for (const event of ['SubagentStop', 'PreToolUse'])
      if (meaning.hooks?.[event]?.length === 0) delete meaning.hooks[event];
    if (JSON.stringify(meaning.hooks) === '{}') delete meaning.hooks;
    return meaning;
  },
});

let machine: ScratchMachine;
let context: SetupContext;
let hooks: string;
let config: string;

beforeEach(() => {
  machine = new ScratchMachine();
  context = machine.context();
  hooks = join(machine.home, '.codex', 'hooks.json');
  config = join(machine.home, '.codex', 'config.toml');
});

const read = (path: string) => readFileSync(path, 'utf8');
const stateIn = (text: string) => Object(parse(text)).hooks?.state ?? {};

describe('the files', () => {
  test.each([
    [{}, '.codex/hooks.json', '.codex/config.toml'],
    [{ env: { CODEX_HOME: '' } }, '.codex/hooks.json', '.codex/config.toml'],
    [{ env: { CODEX_HOME: '../other' } }, 'other/hooks.json', 'other/config.toml'],
    [{ scope: 'project' as const }, 'project/.codex/hooks.json', '.codex/config.toml'],
  ])('for %j are %s and %s', (changes, ours, theirs) => {
    const where = machine.context(changes);
    expect(hooksPath(where)).toBe(join(machine.home, ours));
    expect(configPath(where)).toBe(join(machine.home, theirs));
  });

  test('follow links like the client: in CODEX_HOME, not in the default directory', () => {
    const real = join(machine.home, 'real');
    mkdirSync(real);
    symlinkSync(real, join(machine.home, '.codex'));
    expect(hooksPath(context)).toBe(hooks);
    expect(hooksPath({ ...context, env: { CODEX_HOME: join(machine.home, '.codex') } })).toBe(
      join(real, 'hooks.json'),
    );
  });
});

describe('the plan', () => {
  test('is these two files, by default', async () => {
    const edits = codex.setup.plan({ ...context, home: '/home/dev', env: {} });
    expect(edits.map(({ path }) => path)).toEqual([
      '/home/dev/.codex/hooks.json',
      '/home/dev/.codex/config.toml',
    ]);
    await expect(edits.map(({ after }) => after).join('\n')).toMatchFileSnapshot('setup-settings.snap');
  });

  test('covers every event of the client', () => {
    expect(Object.keys(EVENTS).sort()).toEqual([...payloads.names].sort());
    const [edit] = codex.setup.plan({ ...context, events: ['-Stop'] });
    expect(Object.keys(JSON.parse(edit?.after ?? '').hooks).sort()).toEqual(
      payloads.names.filter((event) => event !== 'Stop').sort(),
    );
    expect(() => codex.setup.plan({ ...context, events: ['-Notify'] })).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });
});

describe('trust', () => {
  const placed = (event: string, handler: object, matcher?: string): PlacedHandler => ({
    event,
    group: 0,
    index: 0,
    matcher,
    handler: { type: 'command', ...handler },
    ours: false,
  });

  // As the real client listed them (`hooks/list` of 0.166.0).
  test.each([
    [
      placed('PreToolUse', { command: '/tmp/codex-hooks/exp/hook.sh pre', timeout: 20 }),
      'db3c95a3f910068feea712d4965afc0812b7aa4a458c486bf00478f54078ead8',
    ],
    [
      placed('Stop', { command: '/tmp/codex-hooks/exp/hook.sh stop' }),
      'a40a4d8a50b8afc2b32335cbaee790e0cb9b12fb8d1287f7455b736d50d5672a',
    ],
    [
      placed(
        'PreToolUse',
        { command: 'a é\u2028 "q"', timeout: 86400, statusMessage: 's', additionalContextLimit: 100 },
        'Bash',
      ),
      'e7632822eafe2a720f51ae39426f9d5bade5f83e981b040006795d10155ed56b',
    ],
    [
      placed('PreToolUse', { command: 'b', additionalContextLimit: 2500, async: true }, '*'),
      '18bd0d7a20b92e61261e5690e1a455d67bb47bee9cbefbe288d31d5abc7b9d38',
    ],
    [
      placed('SessionEnd', { command: 'd', timeout: 10 }),
      'e3574459fa54e8910ff6c6605ca45c4be5ac9126d78176728952a9bf4bfb5ba2',
    ],
    [
      placed('SessionEnd', { command: 'd' }),
      '340db558acc74f37e454c3a64bfc97d02739af1eaa1fa532e7f5caf4c3d2dc66',
    ],
    [
      placed('UserPromptSubmit', { command: 'c' }, 'x'),
      '7c96ebb87f4cd36cfa0db19f643ad93eb7ff4590794065279d55a6f60e1bb43c',
    ],
    [
      placed('Interrupt', { command: 'e' }),
      '357cba50989ec539c2124bb607f2e974d4e3106e42af73dfd9932e8244629ed0',
    ],
    [
      placed('PostModelRequest', { command: 'f', timeout: 0 }),
      'a9d7febe472f37c0ad72ab453bf52dbc28fd657e30d1d236385118e49368b11c',
    ],
  ])("is the client's own hash: %j", (hook, hash) => {
    expect(trustHash(hook)).toBe(`sha256:${hash}`);
  });

  test('is set for our entries only, at their positions', () => {
    machine.write(hooks, lines(2));
    machine.install(codex.setup, context);
    const keys = Object.keys(stateIn(read(config)));
    expect(keys).toHaveLength(payloads.names.length);
    expect(keys).toContain(`${hooks}:pre_tool_use:2:0`);
    expect(keys).toContain(`${hooks}:stop:1:0`);
  });

  test("of a project is stored in the user's settings", () => {
    machine.install(codex.setup, { ...context, scope: 'project' });
    const file = join(context.cwd, '.codex', 'hooks.json');
    expect(Object.keys(stateIn(read(config)))).toContain(`${file}:stop:0:0`);
  });

  test('moves with the forwarder, at the same positions', () => {
    machine.write(config, '# mine\nmodel = "x" # why\n');
    machine.install(codex.setup, context);
    const before = stateIn(read(config));
    machine.install(codex.setup, { ...context, forwarder: '/new/hookline-forward' });
    const after = stateIn(read(config));
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(Object.values(after)).not.toEqual(Object.values(before));
    machine.remove(codex.setup, context);
    expect(read(config)).toBe('# mine\nmodel = "x" # why\n');
  });

  test("is planned again if it was lost, and a user's switch stays", () => {
    machine.install(codex.setup, context);
    writeFileSync(config, `[hooks.state."${hooks}:stop:0:0"]\nenabled = false\n`);
    const edits = codex.setup.plan(context);
    expect(edits.map(({ path }) => path)).toEqual([config]);
    applyEdits(edits, machine.journal);
    expect(stateIn(read(config))[`${hooks}:stop:0:0`]).toMatchObject({
      enabled: false,
      trusted_hash: expect.stringMatching(/^sha256:/),
    });
  });

  test('of hooks that others added after ours survives our removal', () => {
    machine.install(codex.setup, context);
    const settings = new SettingsDocument(read(hooks), { path: hooks });
    for (const command of ['one', 'two'])
      settings.append(['hooks', 'Stop'], { hooks: [{ ...foreignHook, command }] });
    writeFileSync(hooks, settings.toString());
    const entry = (at: number, hash: string) =>
      `\n# ${hash}\n[hooks.state."${hooks}:stop:${at}:0"]\ntrusted_hash = "${hash}"\n`;
    writeFileSync(config, `${read(config)}${entry(1, 'one')}${entry(2, 'two')}`);
    machine.remove(codex.setup, context);
    expect(JSON.parse(read(hooks)).hooks.Stop).toHaveLength(2);
    expect(stateIn(read(config))).toEqual({
      [`${hooks}:stop:0:0`]: { trusted_hash: 'one' },
      [`${hooks}:stop:1:0`]: { trusted_hash: 'two' },
    });
  });

  test('keeps other changes on removal', () => {
    machine.write(config, 'model = "x"\n');
    machine.install(codex.setup, context);
    writeFileSync(config, `${read(config)}\n[projects."/p"]\ntrust_level = "trusted"\n`);
    machine.loseJournal();
    machine.remove(codex.setup, context);
    expect(read(config)).toBe('model = "x"\n\n[projects."/p"]\ntrust_level = "trusted"\n');
  });

  test("isn't written into unreadable settings", () => {
    machine.write(config, 'model = \n');
    expect(() => codex.setup.plan(context)).toThrow(expect.objectContaining({ code: 'SETTINGS_UNREADABLE' }));
  });
});

test('a missing client is a value', async () => {
  expect(await codex.setup.detect({ ...context, env: { PATH: machine.home } })).toEqual({
    installed: false,
    path: null,
    version: null,
  });
});

describe('the command in failure mode closed', () => {
  const commands = (failClosed: boolean) => {
    const machine = new ScratchMachine();
    const handlers = settings.wanted(machine.context({ forwarder: '/no/such/hookline-forward', failClosed }));
    return new Map([...handlers].map(([event, { command }]) => [event, command]));
  };

  test.each(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'])(
    'denies on %s if the forwarder is missing',
    (event) => {
      const run = (failClosed: boolean) => {
        const command = commands(failClosed).get(event) ?? '';
        expect(parseForwarderCommand(command, 'codex')).toMatchObject({ event });
        return spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
      };
      expect(run(true)).toMatchObject({ status: 2, stderr: expect.stringContaining(REFUSAL) });
      expect(run(false).status).toBe(127);
    },
  );

  test('is unchanged where nothing can be denied', () => {
    const [open, closed] = [commands(false), commands(true)];
    const same = [...closed].filter(([event, command]) => open.get(event) === command);
    expect(same.map(([event]) => event)).toEqual(
      payloads.names.filter((event) => !Object.hasOwn(refusals, event)),
    );
  });
});
