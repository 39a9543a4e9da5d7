import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { forwarderCommand } from '../agents/setup/forwarder-command.ts';
import { readRefusal } from '../wire/fail-closed.ts';
import { forwarderPath, readForwarderSettings } from '../wire/forwarder-settings.ts';
import { RUN_VARIABLE } from '../wire/run-id.ts';
import { FORWARDER, type ForwarderSource, inspectForwarder, installForwarder } from './install.ts';
import { forwarderKind, platformPackage } from './native-program.ts';

let scratch: string;
let home: string;
let source: ForwarderSource;

beforeEach(() => {
  scratch = join(scratchFolder(), "it's here");
  home = join(scratch, 'ho me');
  const distDir = join(scratch, 'dist');
  source = { distDir, version: '1.2.3', nodePath: process.execPath, envAllowList: ['A'], failure: 'open' };
  mkdirSync(distDir, { recursive: true });
  writeFileSync(
    join(distDir, FORWARDER),
    `const words = process.argv.slice(2);
console.log(words.includes('--version') ? 'hookline-forward 1.2.3 (JavaScript)' : JSON.stringify(words));`,
  );
});

/** Stands in for a native forwarder. */
const answering = (version: string) => `#!/bin/sh\necho hookline-forward ${version}\n`;

function addProgram(folder: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'hookline-forward'), script);
  chmodSync(join(folder, 'hookline-forward'), 0o755);
}
const addBuilt = (script: string) => addProgram(join(source.distDir, 'bin'), script);
const addPackaged = (script: string) => addProgram(join(scratch, 'node_modules', platformPackage()), script);
const publishFor = (...names: readonly string[]) =>
  writeFileSync(
    join(scratch, 'package.json'),
    JSON.stringify({ optionalDependencies: Object.fromEntries(names.map((name) => [name, '1.2.3'])) }),
  );

test('without a native forwarder, a wrapper runs the JavaScript one and names its home', () => {
  const installed = installForwarder(home, source);
  expect(installed).toEqual({ path: forwarderPath(home), kind: 'node', changed: true });
  expect(statSync(installed.path).mode & 0o777).toBe(0o755);
  const env = { NODE_OPTIONS: '--require /no/such/file', HOOKLINE_HOME: '/elsewhere' };
  const out = execFileSync(installed.path, ['an-agent', 'A "b" $c'], { env, encoding: 'utf8' });
  expect(JSON.parse(out)).toEqual(['--home', home, 'an-agent', 'A "b" $c']);
  expect(readForwarderSettings(home)).toEqual({
    node: process.execPath,
    script: join(source.distDir, FORWARDER),
    env: ['A', RUN_VARIABLE],
  });
});

test('on Windows, agents run a script that starts the JavaScript one and names its home', () => {
  const installed = installForwarder(home, source, 'win32');
  expect(installed).toMatchObject({ path: forwarderPath(home, 'win32'), kind: 'node' });
  const out = execFileSync(process.execPath, [installed.path, 'an-agent', 'A "b"'], { encoding: 'utf8' });
  expect(JSON.parse(out)).toEqual(['--home', home, 'an-agent', 'A "b"']);
  // Backslashes would need other quotes in each of its shells.
  const command = forwarderCommand(forwarderPath('C:\\Users\\me\\.hookline', 'win32'), 'an-agent', 'A');
  expect(command).toBe('node C:/Users/me/.hookline/bin/forward.js an-agent A');
});

describe('of native forwarders', () => {
  const installedText = () => {
    const { kind } = installForwarder(home, source);
    return kind === 'native' ? readFileSync(forwarderPath(home), 'utf8') : kind;
  };

  test('copies the one from the platform package', () => {
    addPackaged(answering('1.2.3'));
    expect(installedText()).toBe(answering('1.2.3'));
  });

  test('prefers the one built in a checkout', () => {
    addPackaged(answering('1.2.3'));
    addBuilt(`${answering('1.2.3')}# built`);
    expect(installedText()).toBe(`${answering('1.2.3')}# built`);
  });

  test.each([
    ['fails', '#!/bin/sh\nexit 1\n'],
    ['says nothing', '#!/bin/sh\nexit 0\n'],
    ['is of another version', answering('1.2.2')],
    ['is of another system', '\x7fELF, but not for this machine'],
  ])("doesn't install one that %s", (_, script) => {
    addBuilt(script);
    expect(installedText()).toBe('node');
    addPackaged(script);
    expect(installedText()).toBe('node');
    addPackaged(answering('1.2.3'));
    expect(installedText()).toBe(answering('1.2.3'));
  });
});

test('shows its kind before it is started', () => {
  const [native, folder] = [join(scratch, 'native'), join(scratch, 'folder')];
  writeFileSync(native, Buffer.from([0x7f, 0x45, 0x4c, 0x46]));
  mkdirSync(folder);
  expect(forwarderKind(installForwarder(home, source).path)).toBe('node');
  expect(forwarderKind(installForwarder(home, source, 'win32').path)).toBe('node');
  expect(forwarderKind(native)).toBe('native');
  for (const none of [join(scratch, 'none'), join(scratch, 'none.js'), folder])
    expect(forwarderKind(none)).toBeNull();
});

test('a second installation changes nothing and leaves no extra files', () => {
  installForwarder(home, source);
  expect(installForwarder(home, source).changed).toBe(false);
  expect(readdirSync(join(home, 'bin')).sort()).toEqual(['forwarder.json', 'hookline-forward']);
  chmodSync(forwarderPath(home), 0o600);
  expect(installForwarder(home, source).changed).toBe(true);
  expect(installForwarder(home, { ...source, envAllowList: ['B'] }).changed).toBe(true);
});

describe('with failure mode closed', () => {
  const closed = (): ForwarderSource => ({ ...source, failure: 'closed' });
  const files = () => readdirSync(join(home, 'bin')).sort();

  test('configures the denial in two files, and removes both when the setting changes', () => {
    installForwarder(home, closed());
    expect(files()).toEqual(['fail-closed.json', 'forwarder.json', 'hookline-forward']);
    const refusal = { action: 'block_with_stderr', stderr: expect.stringContaining('fail closed') };
    expect(readRefusal(home, 'claude', 'PreToolUse')).toEqual(refusal);
    expect(readRefusal(home, 'claude', 'Stop')).toBe(null);
    rmSync(join(home, 'bin', 'forwarder.json'));
    expect(readRefusal(home, 'claude', 'PreToolUse')).toEqual(refusal);

    expect(installForwarder(home, closed()).changed).toBe(true);
    expect(installForwarder(home, closed()).changed).toBe(false);
    expect(installForwarder(home, source).changed).toBe(true);
    expect(files()).toEqual(['forwarder.json', 'hookline-forward']);
    expect(readRefusal(home, 'claude', 'PreToolUse')).toBe(null);
  });

  test('readable settings decide, whatever the other file says', () => {
    installForwarder(home, closed());
    const marker = readFileSync(join(home, 'bin', 'fail-closed.json'));
    installForwarder(home, source);
    writeFileSync(join(home, 'bin', 'fail-closed.json'), marker);
    expect(readRefusal(home, 'claude', 'PreToolUse')).toBe(null);
    expect(inspectForwarder(home, source)).toMatchObject({
      code: 'forwarder-stale',
      message: expect.stringContaining('fail-closed.json'),
    });
  });

  test('detects a forwarder without this configuration', () => {
    installForwarder(home, source);
    expect(inspectForwarder(home, closed())).toMatchObject({ level: 'warning', code: 'forwarder-stale' });
  });
});

describe('inspecting finds', () => {
  const code = () => inspectForwarder(home, source).code;

  test('no forwarder', () => {
    expect(code()).toBe('forwarder-missing');
  });

  test('no problem', () => {
    installForwarder(home, source);
    const message = `The JavaScript forwarder 1.2.3 is installed: ${forwarderPath(home)}`;
    expect(inspectForwarder(home, source)).toMatchObject({ level: 'ok', message, fix: null });
    addPackaged(answering('1.2.3'));
    installForwarder(home, source);
    expect(inspectForwarder(home, source)).toMatchObject({
      level: 'ok',
      message: `The native forwarder 1.2.3 is installed: ${forwarderPath(home)}`,
    });
  });

  test.each([
    [
      'another kind',
      'warning',
      null,
      'is the JavaScript forwarder 1.2.3; this Hookline has the native forwarder 1.2.3.',
    ],
    [
      'another version',
      'problem',
      '1.2.2',
      'is the native forwarder 1.2.2; this Hookline has the native forwarder 1.2.3.',
    ],
    [
      'a different build',
      'warning',
      '1.2.3',
      "is a different build of the native forwarder 1.2.3 than this Hookline's.",
    ],
  ])('one of %s', (_, level, version, message) => {
    if (version !== null) addBuilt(`${answering(version)}# old`);
    installForwarder(home, { ...source, version: version ?? source.version });
    addBuilt(answering('1.2.3'));
    expect(inspectForwarder(home, source)).toMatchObject({
      level,
      code: 'forwarder-stale',
      message: `${forwarderPath(home)} ${message}`,
    });
  });

  test('settings of another version', () => {
    installForwarder(home, { ...source, envAllowList: ['B'] });
    expect(inspectForwarder(home, source)).toMatchObject({
      level: 'warning',
      code: 'forwarder-stale',
      message: expect.stringContaining('forwarder.json'),
    });
  });

  test("one that doesn't run", () => {
    installForwarder(home, source);
    chmodSync(forwarderPath(home), 0o600);
    expect(inspectForwarder(home, source)).toMatchObject({ level: 'problem', code: 'forwarder-broken' });
  });

  test('a slow one, on a platform that has a native one', () => {
    installForwarder(home, source);
    publishFor('@hookline/forwarder-another-platform');
    expect(code()).toBe('forwarder');
    publishFor(platformPackage());
    expect(inspectForwarder(home, source)).toMatchObject({
      level: 'warning',
      code: 'forwarder-slow',
      why: expect.stringContaining(`the package ${platformPackage()} is not installed.`),
      fix: expect.stringContaining('optional dependencies'),
    });
    addPackaged(answering('1.2.2'));
    expect(inspectForwarder(home, source).why).toMatch(/is not version 1\.2\.3 or does not run\.$/);
  });

  test('a slow one in a checkout that could build a native one', () => {
    installForwarder(home, source);
    publishFor();
    expect(inspectForwarder(home, source)).toMatchObject({
      level: 'warning',
      code: 'forwarder-slow',
      fix: expect.stringContaining('`npm run build`'),
    });
    addBuilt(answering('1.2.3'));
    installForwarder(home, source);
    expect(code()).toBe('forwarder');
  });

  test('one without settings', () => {
    installForwarder(home, source);
    writeFileSync(join(home, 'bin', 'forwarder.json'), '{');
    expect(code()).toBe('forwarder-settings');
  });

  test('a missing Node or script', () => {
    installForwarder(home, { ...source, nodePath: join(scratch, 'old-node') });
    expect(inspectForwarder(home, source)).toMatchObject({ level: 'problem', code: 'forwarder-fallback' });
    installForwarder(home, source);
    rmSync(join(source.distDir, FORWARDER));
    expect(code()).toBe('forwarder-fallback');
  });
});
