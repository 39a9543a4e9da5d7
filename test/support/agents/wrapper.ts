import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WRAPPER_SCRIPT } from '../../../src/agents/setup/forwarder-command.ts';
import { type AgentSetup, type SetupContext, scopesOf } from '../../../src/agents/setup/setup.ts';
import type { AgentWrapper } from '../../../src/agents/setup/wrapper.ts';
import { scratchFolder } from '../scratch.ts';
import { ScratchMachine } from './setup.ts';

interface WrapperCases {
  /** An event that can be refused, and one that cannot. */
  readonly guard: string;
  readonly note: string;
  /** Writes what the client writes when it installs it, and says where the files of the wrapper go. */
  install(machine: ScratchMachine, context: SetupContext): string;
  /** Writes what the client writes when it is disabled. */
  disable(machine: ScratchMachine, context: SetupContext): void;
}

/** What a plugin or an extension must keep to, and setup beside one. */
export function testWrapper(setup: AgentSetup, cases: WrapperCases): void {
  const { wrapper } = setup;
  if (!wrapper) throw new Error('this agent has no wrapper');
  describe(`setup beside the ${wrapper.noun}`, () => {
    testSetupBeside(setup, wrapper, cases);
    testOthers(setup, wrapper, cases);
  });
  describe.skipIf(process.platform === 'win32')(`the program of the ${wrapper.noun}`, () =>
    testScript(wrapper, cases),
  );
}

function scenes(setup: AgentSetup, wrapper: AgentWrapper, cases: WrapperCases) {
  const start = () => {
    const machine = new ScratchMachine();
    const forwarder = join(machine.home, 'hookline-forward');
    machine.write(forwarder, '');
    const context = machine.context({ forwarder, scope: scopesOf(setup)[0] });
    return { machine, context };
  };
  const install = ({ machine, context }: ReturnType<typeof start>) => {
    const folder = cases.install(machine, context);
    for (const [path, text] of filesOf(wrapper)) machine.write(join(folder, path), text);
  };
  return { start, install };
}

function testSetupBeside(setup: AgentSetup, wrapper: AgentWrapper, cases: WrapperCases): void {
  const { start, install } = scenes(setup, wrapper, cases);
  const codes = (context: SetupContext) => setup.inspect(context).map(({ code }) => code);

  test('writes nothing twice, and leaves to the client what it installed', () => {
    const scene = start();
    expect(wrapper.hooksPath(scene.context)).toBe(null);
    install(scene);
    for (const scope of scopesOf(setup)) {
      expect(setup.plan({ ...scene.context, scope })).toEqual([]);
      expect(setup.planRemoval({ ...scene.context, scope })).toEqual([]);
    }
    const findings = setup.inspect(scene.context);
    expect(findings.filter(({ level }) => level === 'problem' || level === 'warning')).toEqual([]);
    expect(findings.map(({ code }) => code)).toContain('set-up');
  });

  test('guards nothing without a forwarder, which is a problem', () => {
    const scene = start();
    install(scene);
    const findings = setup.inspect({ ...scene.context, forwarder: '/nowhere/hookline-forward' });
    expect(findings).toContainEqual(expect.objectContaining({ level: 'problem', code: 'wrapper-alone' }));
  });

  test('detects entries in the settings that are called twice', () => {
    const scene = start();
    scene.machine.install(setup, { ...scene.context, scope: 'user' });
    expect(codes(scene.context)).not.toContain('set-up-twice');
    install(scene);
    expect(codes(scene.context)).toContain('set-up-twice');
  });
}

function testOthers(setup: AgentSetup, wrapper: AgentWrapper, cases: WrapperCases): void {
  const { start, install } = scenes(setup, wrapper, cases);

  test('ignores a disabled one', () => {
    const scene = start();
    install(scene);
    cases.disable(scene.machine, scene.context);
    expect(wrapper.hooksPath(scene.context)).toBe(null);
    expect(setup.plan({ ...scene.context, scope: 'user' })).not.toEqual([]);
  });

  test('an older version that lacks a guarded event is a problem', () => {
    const scene = start();
    install(scene);
    const path = wrapper.hooksPath(scene.context) ?? '';
    scene.machine.write(
      path,
      (filesOf(wrapper).get('hooks/hooks.json') ?? '').replaceAll(cases.guard, 'Older'),
    );
    expect(setup.inspect(scene.context)).toContainEqual(
      expect.objectContaining({ level: 'problem', code: 'missing-events' }),
    );
  });
}

function scriptScene(wrapper: AgentWrapper) {
  const home = scratchFolder();
  const script = join(home, WRAPPER_SCRIPT);
  writeFileSync(script, filesOf(wrapper).get(WRAPPER_SCRIPT) ?? '');
  mkdirSync(join(home, 'bin'));
  const forwarder = join(home, 'bin', 'hookline-forward');
  return {
    run: (event: string) =>
      spawnSync('/bin/sh', [script, 'agent', event], {
        env: { HOOKLINE_HOME: home, PATH: '/nowhere' },
        input: 'payload',
        encoding: 'utf8',
      }),
    failClosed: () => writeFileSync(join(home, 'bin', 'fail-closed.json'), '{}'),
    putForwarder: (text: string) => {
      writeFileSync(forwarder, `#!/bin/sh\n${text}\n`);
      chmodSync(forwarder, 0o755);
    },
  };
}

function testScript(wrapper: AgentWrapper, { guard, note }: WrapperCases): void {
  const start = () => scriptScene(wrapper);

  test('passes on event and payload, and returns the answer', () => {
    const { run, putForwarder, failClosed } = start();
    putForwarder('read line; echo "$1 $2 $line"; echo reason >&2; exit 2');
    const expected = { status: 2, stdout: `agent ${guard} payload\n`, stderr: 'reason\n' };
    expect(run(guard)).toMatchObject(expected);
    failClosed();
    expect(run(guard)).toMatchObject(expected);
  });

  test('makes no decision without a forwarder, and says at the start what to do', () => {
    const { run } = start();
    expect(run(guard)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const { status, stdout } = run('SessionStart');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: expect.stringMatching(
        /nothing is guarded.* npm install --global hookline && hookline setup /,
      ),
    });
  });

  test.each([
    ['is missing', null],
    ['crashes', 'exit 1'],
  ])('denies what can be denied if the forwarder %s and failures are closed', (_, text) => {
    const { run, putForwarder, failClosed } = start();
    if (text !== null) putForwarder(text);
    failClosed();
    expect(run(guard)).toMatchObject({ status: 2, stderr: expect.stringContaining('set to fail closed') });
    expect(run(note).status).not.toBe(2);
  });
}

/** The files of the wrapper's own folder, by their path in it. */
function filesOf(wrapper: AgentWrapper): ReadonlyMap<string, string> {
  const files = wrapper.files('1.2.3');
  const script = files.find(({ path }) => path.endsWith(WRAPPER_SCRIPT))?.path ?? '';
  const folder = `${dirname(script)}/`;
  const own = files.filter(({ path }) => path.startsWith(folder));
  return new Map(own.map(({ path, text }) => [path.slice(folder.length), text]));
}

/** A client that keeps extensions in a folder of its own, below the user's. */
export function extensionCases(userFolder: string): Pick<WrapperCases, 'install' | 'disable'> {
  const folder = ({ home }: SetupContext) => join(home, userFolder, 'extensions');
  return {
    install: (_, context) => join(folder(context), 'hookline'),
    disable: (machine, context) =>
      machine.write(
        join(folder(context), 'extension-enablement.json'),
        JSON.stringify({ hookline: { overrides: [`!${context.home}/*`] } }),
      ),
  };
}
