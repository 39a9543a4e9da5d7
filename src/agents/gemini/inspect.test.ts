import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ScratchMachine } from '../../../test/support/agents/setup.ts';
import type { Finding, Scope, SetupContext } from '../setup/setup.ts';
import gemini from './index.ts';
import { inspect as inspectSettings } from './inspect.ts';
import { hooksPath, systemFolder } from './setup.ts';

let machine: ScratchMachine;
let context: SetupContext;
let folder: string;
let system: string;

beforeEach(() => {
  machine = new ScratchMachine();
  const forwarder = join(machine.home, 'bin', 'hookline-forward');
  machine.write(forwarder, '');
  context = machine.context({ scope: 'extension', forwarder });
  folder = join(machine.home, '.gemini');
  system = join(machine.home, 'etc');
});

const inspect = (changes: Partial<SetupContext> = {}) => inspectSettings({ ...context, ...changes }, system);
const codes = (findings: readonly Finding[]) => findings.map(({ code }) => code);
const install = (scope: Scope, changes: Partial<SetupContext> = {}) =>
  machine.install(gemini.setup, { ...context, ...changes, scope });
const hook = (timeout: number) => [{ hooks: [{ type: 'command', command: 'x', timeout }] }];

describe('our entries', () => {
  test('are present, and the uncovered cases are listed', () => {
    install('extension');
    expect(codes(inspect())).toEqual(['set-up', 'acp']);
    install('extension', { failClosed: true, events: ['AfterModel'] });
    expect(codes(inspect())).toEqual(['set-up', 'acp']);
  });

  test('are missing', () => {
    expect(codes(inspect())).toEqual(['not-set-up']);
  });

  test('are stale, missing or changed', () => {
    install('extension', { forwarder: '/gone/hookline-forward' });
    expect(inspect()[0]).toMatchObject({ code: 'stale-path', level: 'problem' });
    install('extension', { events: ['-AfterTool', '-SessionEnd'] });
    expect(inspect()[0]).toMatchObject({
      code: 'missing-events',
      message: expect.stringContaining('AfterTool, SessionEnd'),
    });
    install('extension');
    const path = hooksPath(context);
    const [edit] = gemini.setup.planRemoval(context);
    const narrowed = (edit?.before ?? '').replace('86400000', '5000');
    machine.write(path, narrowed);
    expect(codes(inspect())[0]).toBe('changed-entries');
  });

  test('in two scopes run twice only if they differ', () => {
    install('extension');
    install('user');
    expect(codes(inspect())).not.toContain('set-up-twice');
    install('user', { forwarder: '/other/hookline-forward' });
    expect(codes(inspect())).toContain('set-up-twice');
  });
});

describe('trust', () => {
  const trust = (rules: object) => machine.write(join(folder, 'trustedFolders.json'), JSON.stringify(rules));

  test("doesn't affect an extension", () => {
    install('extension');
    expect(codes(inspect({ env: { GEMINI_RESTRICTED_MODE: 'true' } }))).toEqual(['set-up', 'acp']);
  });

  test.each(['user', 'project'] as const)('affects the settings of the %s', (scope) => {
    install(scope);
    expect(inspect().find(({ code }) => code === 'untrusted')).toMatchObject({ level: 'problem' });
    expect(codes(inspect({ env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } }))).toContain('needs-trust');
    trust({ [context.cwd]: 'TRUST_FOLDER' });
    expect(codes(inspect())).toContain('needs-trust');
    expect(codes(inspect({ env: { GEMINI_RESTRICTED_MODE: 'true' } }))).toContain('untrusted');
    expect(codes(inspect({ env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' } }))).toContain('untrusted');
    expect(codes(inspect()).includes('skip-trust')).toBe(scope === 'project');
  });

  test('is inherited by nested directories, and the nearest rule counts', () => {
    install('user');
    trust({ [machine.home]: 'TRUST_FOLDER', [context.cwd]: 'DO_NOT_TRUST' });
    expect(codes(inspect())).toContain('untrusted');
    trust({ [machine.home]: 'DO_NOT_TRUST', [join(context.cwd, 'sub')]: 'TRUST_PARENT' });
    expect(codes(inspect())).toContain('needs-trust');
    trust({ [`${context.cwd}-other`]: 'TRUST_FOLDER' });
    expect(codes(inspect())).toContain('untrusted');
  });

  test('can be switched off', () => {
    const user = join(folder, 'settings.json');
    machine.write(user, '{"security": {"folderTrust": {"enabled": false}}}');
    install('user');
    expect(codes(inspect())).toContain('needs-trust');
  });
});

describe('what keeps hooks from running', () => {
  beforeEach(() => install('extension'));

  test.each([
    'project/.gemini/settings.json',
    '.gemini/settings.json',
    'etc/settings.json',
    'etc/system-defaults.json',
  ])('hooksConfig in %s', (file) => {
    machine.write(join(machine.home, file), '{"hooksConfig": {"enabled": false}} // off');
    expect(inspect().find(({ code }) => code === 'hooks-disabled')).toMatchObject({ level: 'problem' });
    machine.write(join(machine.home, file), '{"hooksConfig": {"disabled": ["other", "hookline"]}}');
    expect(inspect().find(({ code }) => code === 'hook-disabled')).toMatchObject({ level: 'problem' });
    machine.write(join(machine.home, file), '{"hooksConfig": {"disabled": ["other"]}}');
    expect(codes(inspect())).toEqual(['set-up', 'acp']);
  });

  test('the extension is disabled here', () => {
    const rules = (...overrides: string[]) =>
      machine.write(
        join(folder, 'extensions', 'extension-enablement.json'),
        JSON.stringify({ hookline: { overrides } }),
      );
    rules(`!${context.cwd}/*`);
    expect(codes(inspect())).toContain('extension-disabled');
    rules(`!${machine.home}/*`, `${context.cwd}/`);
    expect(codes(inspect())).not.toContain('extension-disabled');
    rules('!/somewhere/else/*');
    expect(codes(inspect())).not.toContain('extension-disabled');
  });

  test('the extension has no manifest', () => {
    machine.remove(
      {
        ...gemini.setup,
        planRemoval: (c) => gemini.setup.planRemoval(c).filter(({ path }) => path.endsWith('extension.json')),
      },
      context,
    );
    expect(codes(inspect())).toContain('extension-incomplete');
  });

  test('an unreadable file', () => {
    machine.write(join(folder, 'settings.json'), '{');
    expect(inspect()[0]).toMatchObject({ level: 'problem', code: 'settings-unreadable' });
  });
});

describe('foreign hooks', () => {
  test('are counted, with a warning where the last one wins', () => {
    install('extension');
    const user = join(folder, 'settings.json');
    machine.write(user, JSON.stringify({ hooks: { SessionEnd: hook(5000) } }));
    expect(inspect().at(-1)).toMatchObject({ level: 'ok', code: 'foreign-hooks' });
    machine.write(user, JSON.stringify({ hooks: { BeforeModel: hook(5000) } }));
    expect(inspect().at(-1)).toMatchObject({ level: 'warning', code: 'foreign-hooks' });
  });

  test('with a timeout of some milliseconds were probably meant in seconds', () => {
    machine.write(join(folder, 'settings.json'), JSON.stringify({ hooks: { SessionEnd: hook(60) } }));
    expect(codes(inspect())).toContain('timeout-unit');
  });
});

test.each([
  ['linux', '/etc/gemini-cli'],
  ['darwin', '/Library/Application Support/GeminiCli'],
] as const)('settings of the system on %s', (platform, expected) => {
  expect(systemFolder(platform)).toBe(expected);
});
