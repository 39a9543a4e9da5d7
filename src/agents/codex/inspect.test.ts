import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ScratchMachine } from '../../../test/support/agents/setup.ts';
import type { Finding, SetupContext } from '../setup/setup.ts';
import codex from './index.ts';
import { inspect as inspectSettings } from './inspect.ts';

let machine: ScratchMachine;
let context: SetupContext;
let hooks: string;
let config: string;
let system: string;

beforeEach(() => {
  machine = new ScratchMachine();
  const forwarder = join(machine.home, 'bin', 'hookline-forward');
  machine.write(forwarder, '');
  context = machine.context({ forwarder });
  hooks = join(machine.home, '.codex', 'hooks.json');
  config = join(machine.home, '.codex', 'config.toml');
  system = join(machine.home, 'etc');
});

const inspect = (changes: Partial<SetupContext> = {}) => inspectSettings({ ...context, ...changes }, system);
const codes = (findings: readonly Finding[]) => findings.map(({ code }) => code);
const read = (path: string) => readFileSync(path, 'utf8');

function change(
  edit: (file: { hooks: Record<string, { matcher?: string; hooks: object[] }[]> }) => void,
): void {
  const file = JSON.parse(read(hooks));
  edit(file);
  machine.write(hooks, JSON.stringify(file));
}

test('everything works, except for what no hook sees', () => {
  machine.install(codex.setup, context);
  const findings = inspect();
  expect(codes(findings)).toEqual(['set-up', 'trusted', 'blind-spots']);
  expect(findings[0]?.message).toBe(`${hooks} forwards 14 events.`);
  expect(findings[2]?.message).toMatch(/already running.*web search.*code mode/);
});

test('nothing is set up', () => {
  expect(codes(inspect())).toEqual(['not-set-up']);
});

describe('our entries', () => {
  beforeEach(() => machine.install(codex.setup, context));

  test('call another forwarder', () => {
    expect(inspect({ forwarder: '/gone/hookline-forward' })[0]).toMatchObject({ code: 'stale-path' });
  });

  test('are missing, changed or narrowed, and no longer trusted', () => {
    change(({ hooks }) => {
      delete hooks.Stop;
      Object.assign(hooks.PreCompact?.[0]?.hooks[0] ?? {}, { timeout: 7 });
      Object.assign(hooks.PreToolUse?.[0] ?? {}, { matcher: 'Bash' });
    });
    const [missing, changed, narrowed, outdated] = inspect();
    expect(missing).toMatchObject({
      code: 'missing-events',
      message: expect.stringMatching(/forward Stop\.$/),
    });
    expect(changed).toMatchObject({
      code: 'changed-entries',
      message: expect.stringMatching(/: PreCompact\.$/),
    });
    expect(narrowed).toMatchObject({ code: 'narrowed', message: expect.stringMatching(/of PreToolUse\.$/) });
    expect(outdated).toMatchObject({ code: 'trust-outdated', level: 'problem' });
    expect(outdated?.message).toContain('PreToolUse, PreCompact');
  });

  test('are untrusted, or switched off', () => {
    machine.write(config, `[hooks.state."${hooks}:stop:0:0"]\nenabled = false\n`);
    const [, untrusted, disabled] = inspect();
    expect(untrusted).toMatchObject({ code: 'untrusted', level: 'problem' });
    expect(untrusted?.message).not.toContain(', Stop');
    expect(disabled).toMatchObject({ code: 'entries-disabled', message: expect.stringContaining('Stop') });
  });

  test('lose their trust to a hook inserted before them', () => {
    change(({ hooks }) => hooks.Stop?.unshift({ hooks: [{ type: 'command', command: 'x' }] }));
    expect(inspect().find(({ code }) => code === 'untrusted')?.message).toContain('for Stop,');
  });

  test('in two scopes run twice', () => {
    machine.install(codex.setup, { ...context, scope: 'project' });
    expect(codes(inspect())).toContain('set-up-twice');
  });

  test('of a project need the trust of the project', () => {
    const project = { ...context, scope: 'project' as const };
    machine.install(codex.setup, project);
    expect(codes(inspect(project))).toContain('project-undecided');
    const before = read(config);
    const level = (word: string) => `${before}\n[projects."${context.cwd}"]\ntrust_level = "${word}"\n`;
    machine.write(config, level('untrusted'));
    expect(codes(inspect(project))).toContain('project-untrusted');
    machine.write(config, level('trusted'));
    expect(codes(inspect(project)).filter((code) => code.startsWith('project'))).toEqual([]);
  });

  test('fail open, which is reported in failure mode closed', () => {
    expect(codes(inspect({ failClosed: true }))).toContain('fails-open');
  });
});

describe('what keeps hooks from running', () => {
  beforeEach(() => machine.install(codex.setup, context));

  test.each([
    ['.codex/config.toml', 'features.hooks = false\n'],
    ['project/.codex/config.toml', '[features]\nhooks = false\n'],
    ['etc/config.toml', '[features]\ncodex_hooks = false\n'],
  ])('a switch in %s', (file, text) => {
    const path = join(machine.home, file);
    machine.write(path, text + (path === config ? read(config) : ''));
    expect(inspect().find(({ code }) => code === 'hooks-disabled')?.message).toContain(path);
  });

  test('an administrator who allows only managed hooks', () => {
    machine.write(join(system, 'requirements.toml'), 'allow_managed_hooks_only = true\n');
    expect(codes(inspect())).toContain('managed-only');
  });

  test('unreadable files', () => {
    machine.write(config, 'model = \n');
    expect(codes(inspect())).toEqual(expect.arrayContaining(['settings-unreadable', 'untrusted']));
    change((file) => Object.assign(file, { theme: 'dark' }));
    expect(codes(inspect())).toEqual(['settings-unreadable', 'settings-unreadable']);
  });
});

test('counts foreign hooks, and names those that may race with a rewrite', () => {
  const group = [{ hooks: [{ type: 'command', command: 'x' }] }];
  machine.write(hooks, JSON.stringify({ hooks: { Stop: group } }));
  machine.install(codex.setup, context);
  expect(inspect().find(({ code }) => code === 'foreign-hooks')).toMatchObject({ level: 'ok' });
  machine.write(join(context.cwd, '.codex', 'hooks.json'), JSON.stringify({ hooks: { PreToolUse: group } }));
  expect(inspect().find(({ code }) => code === 'foreign-hooks')).toMatchObject({ level: 'warning' });
});
