import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { ScratchMachine, testSetup } from '../../../test/support/agents/setup.ts';
import { applyEdits, applyRemoval, removal } from '../setup/journal.ts';
import { SettingsDocument } from '../setup/settings-json.ts';
import type { SetupContext } from '../setup/setup.ts';
import { payloads } from './decode.ts';
import claude from './index.ts';
import { fatalEntries } from './inspect.ts';
import { EVENTS, settingsPath } from './setup.ts';

const foreignHook = { type: 'command', command: 'npx prettier --check .', timeout: 20 };
const busy = {
  env: { TOKEN: 'sk-1' },
  permissions: { allow: ['Bash(git *)'] },
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [foreignHook] },
      { matcher: 'Write|Edit', hooks: [foreignHook, { type: 'http', url: 'http://127.0.0.1:9/x' }] },
    ],
    Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }],
    SomethingNew: [{ hooks: [foreignHook] }],
    SubagentStop: [],
  },
  model: 'opus',
};
const lines = (indent: string | number) => JSON.stringify(busy, null, indent);

testSetup(claude.setup, {
  settingsPath,
  samples: {
    'empty file': '',
    'blank file': ' \n',
    'empty object': '{}',
    'empty object on two lines': '{\n}\n',
    'empty hooks': '{\n  "hooks": {}\n}\n',
    'other settings only': '{\n  "model": "opus"\n}\n',
    'hooks of others': `${lines(2)}\n`,
    'no newline at the end': lines(2),
    'four spaces': `${lines(4)}\n\n\n`,
    tabs: `${lines('\t')}\n`,
    CRLF: `${lines(2)}\n`.replaceAll('\n', '\r\n'),
    'byte order mark': `\uFEFF${lines(2)}\n`,
    minified: JSON.stringify(busy),
    'odd layout':
      '{ "hooks" :{"Stop":[ {"hooks":[]} ],\n"PreToolUse" : [\n\n]} , "n":1.0e+2,\t"u":"\\u00e9é" }\n',
  },
  broken: {
    'text that ends early': '{"hooks": {',
    'a comment, for which the client drops the file': '// mine\n{}',
    'a list of hooks': '{"hooks": []}',
    'hooks that are null': '{"hooks": null}',
    'an event that is not a list': '{"hooks": {"PreToolUse": {}}}',
    'hooks twice': '{"hooks": {}, "hooks": {}}',
  },
  userEdit(text) {
    const settings = new SettingsDocument(text, { path: 'test' });
    settings.set(['theme'], 'dark');
    return settings.toString();
  },
  parse(text) {
    const meaning = JSON.parse(text.replace('\uFEFF', '').trim() || '{}');
    // Empty containers that could be ours are taken out with our entries when only the surgical way is left.
    for (const event of ['SubagentStop', 'PreToolUse'])
      if (meaning.hooks?.[event]?.length === 0) delete meaning.hooks[event];
    if (JSON.stringify(meaning.hooks) === '{}') delete meaning.hooks;
    return meaning;
  },
});

let machine: ScratchMachine;
let context: SetupContext;
let path: string;

beforeEach(() => {
  machine = new ScratchMachine();
  context = machine.context();
  path = join(machine.home, '.claude', 'settings.json');
});

const planned = (changes: Partial<SetupContext> = {}) => {
  const after = claude.setup.plan({ ...context, ...changes })[0]?.after;
  return JSON.parse(after ?? 'null');
};

describe('the file', () => {
  test.each([
    [{}, '.claude/settings.json'],
    [{ env: { CLAUDE_CONFIG_DIR: '' } }, '.claude/settings.json'],
    [{ env: { CLAUDE_CONFIG_DIR: '../other' } }, 'other/settings.json'],
    [{ scope: 'project' as const }, 'project/.claude/settings.json'],
    [{ scope: 'project' as const, env: { CLAUDE_CONFIG_DIR: '/x' } }, 'project/.claude/settings.json'],
  ])('for %j is %s', (changes, expected) => {
    expect(settingsPath(machine.context(changes))).toBe(join(machine.home, expected));
  });
});

describe('the entries', () => {
  test('are these, by default', async () => {
    const [edit] = claude.setup.plan(context);
    await expect(edit?.after).toMatchFileSnapshot('setup-settings.snap');
  });

  test('cover every event of the client but those that need opting in', () => {
    expect(Object.keys(EVENTS).sort()).toEqual([...payloads.names].sort());
    const missing = payloads.names.filter((event) => !(event in planned().hooks));
    expect(missing.sort()).toEqual(['FileChanged', 'MessageDisplay', 'WorktreeCreate']);
  });

  test('follow the requested options', () => {
    const { hooks } = planned({ events: ['MessageDisplay', '-Notification'] });
    expect(hooks).toHaveProperty('MessageDisplay');
    expect(hooks).not.toHaveProperty('Notification');
    expect(() => planned({ events: ['-Notify'] })).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(() => planned({ events: ['constructor'] })).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  test('are removed for events that are no longer wanted', () => {
    machine.install(claude.setup, { ...context, events: ['MessageDisplay'] });
    machine.install(claude.setup, { ...context, events: ['-Stop'] });
    const { hooks } = JSON.parse(readFileSync(path, 'utf8'));
    expect('MessageDisplay' in hooks || 'Stop' in hooks).toBe(false);
    machine.install(claude.setup, { ...context, events: Object.keys(EVENTS).map((event) => `-${event}`) });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({});
  });

  test('block on failure if the agent supports it and the user chose it', () => {
    const { hooks } = planned({ failClosed: true });
    const blocking = Object.keys(hooks).filter((event) => hooks[event][0].hooks[0].onFailure === 'block');
    expect(blocking.sort()).toEqual([
      'Elicitation',
      'ElicitationResult',
      'PermissionRequest',
      'PreModelSwitch',
      'PreToolUse',
      'UserPromptExpansion',
      'UserPromptSubmit',
    ]);
    expect(JSON.stringify(planned())).not.toContain('onFailure');
  });

  test('are valid for the client even if one invalid entry costs the whole file', () => {
    expect(
      fatalEntries(planned({ failClosed: true, forwarder: '/it\'s "here"\n/hookline-forward' }).hooks),
    ).toEqual([]);
  });

  test('are added after other entries, and updated in place', () => {
    const stale = { type: 'command', command: '"/old place/hookline-forward" claude PreToolUse', timeout: 5 };
    const old = { matcher: '*', hooks: [foreignHook, stale, foreignHook] };
    const extra = { hooks: [{ type: 'command', command: 'node /x/dist/forward.js claude PreToolUse' }] };
    machine.write(path, JSON.stringify({ hooks: { Stop: busy.hooks.Stop, PreToolUse: [old, extra] } }));
    const { hooks } = planned({ failClosed: true });
    const command = '/opt/hookline/hookline-forward claude';
    expect(hooks.PreToolUse).toEqual([
      {
        matcher: '*',
        hooks: [
          foreignHook,
          { type: 'command', command: `${command} PreToolUse`, timeout: 86_400, onFailure: 'block' },
          foreignHook,
        ],
      },
    ]);
    expect(hooks.Stop).toEqual([
      ...busy.hooks.Stop,
      { hooks: [{ type: 'command', command: `${command} Stop`, timeout: 600 }] },
    ]);
  });
});

test('any settings are restored, byte for byte, and without the journal in meaning', () => {
  const command = fc.constantFrom('echo hi', 'hookline-forwarder', 'hookline-forward gemini Stop', '');
  const group = fc.record(
    {
      matcher: fc.constantFrom('', '*', 'Bash'),
      hooks: fc.array(fc.record({ type: fc.constant('command'), command }), { maxLength: 2 }),
    },
    { requiredKeys: ['hooks'] },
  );
  const groups = fc.array(group, { minLength: 1, maxLength: 3 });
  const hooks = fc.dictionary(fc.constantFrom('PreToolUse', 'Stop', 'SessionEnd', 'Other'), groups, {
    minKeys: 1,
  });
  const settings = fc.record({ first: fc.jsonValue(), hooks, last: fc.jsonValue() }, { requiredKeys: [] });
  const indent = fc.constantFrom(undefined, 1, 2, 4, '\t');
  const eol = fc.constantFrom('\n', '\r\n');
  const ending = fc.constantFrom('', '\n', '\n\n ');
  fc.assert(
    fc.property(
      settings,
      indent,
      eol,
      ending,
      fc.constantFrom('', '\uFEFF'),
      (value, indent, eol, end, mark) => {
        const text = mark + (JSON.stringify(value, null, indent) + end).replaceAll('\n', eol);
        machine.write(path, text);
        machine.install(claude.setup, context);
        const installed = readFileSync(path, 'utf8');
        machine.remove(claude.setup, context);
        expect(readFileSync(path, 'utf8')).toBe(text);
        machine.write(path, installed);
        const surgical = claude.setup.planRemoval(context)[0]?.after ?? '';
        // An empty object has no layout to go by; every other text comes back as it was even without the journal.
        if (Object.keys(value).length > 0) expect(surgical).toBe(text);
        else expect(surgical.trim().replace('\uFEFF', '')).toBe('{}');
      },
    ),
    { numRuns: 60 },
  );
});

test('a missing client is a value', async () => {
  expect(await claude.setup.detect({ ...context, env: { PATH: machine.home } })).toEqual({
    installed: false,
    path: null,
    version: null,
  });
});

describe('the status line', () => {
  test('shows its session', () => {
    expect(claude.setup.statusLineSession?.({ session_id: 's1', cwd: '/' })).toBe('s1');
    expect(claude.setup.statusLineSession?.(null)).toBeNull();
  });

  const statusLine = 'node /opt/hookline/bin/hookline.js statusline';

  test('is ours if the user has none, and is removed with the rest, byte for byte', () => {
    const machine = new ScratchMachine();
    const context = { ...machine.context({ scope: 'user' }), statusLine };
    const before = '{\n    "model": "opus"\n}';
    machine.write(settingsPath(context), before);
    applyEdits(claude.setup.plan(context), machine.journal);
    const written = readFileSync(settingsPath(context), 'utf8');
    expect(JSON.parse(written).statusLine).toEqual({ type: 'command', command: `${statusLine} claude` });
    // It stays when setup runs again without a word about it.
    expect(claude.setup.plan(machine.context({ scope: 'user' }))).toEqual([]);
    const edits = removal(claude.setup.planRemoval(machine.context({ scope: 'user' })), machine.journal);
    applyRemoval(edits, machine.journal);
    expect(readFileSync(settingsPath(context), 'utf8')).toBe(before);
  });

  test.each([
    ['the user has another', 'user', '{"statusLine": {"type": "command", "command": "~/mine.sh"}}'],
    ['the settings are those of a project', 'project', '{}'],
  ] as const)("isn't changed if %s", (_, scope, text) => {
    const machine = new ScratchMachine();
    const context = { ...machine.context({ scope }), statusLine };
    machine.write(settingsPath(context), text);
    const [edit] = claude.setup.plan(context);
    expect(JSON.parse(edit?.after ?? '').statusLine).toEqual(JSON.parse(text).statusLine);
    const [undo] = claude.setup.planRemoval({ ...context });
    expect(undo).toBeUndefined();
  });
});
