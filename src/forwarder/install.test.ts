import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readForwarderSettings } from './home.ts';
import { type ForwarderSource, forwarderPath, inspectForwarder, installForwarder } from './install.ts';

let scratch: string;
let home: string;
let source: ForwarderSource;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "hookline install's-"));
  home = join(scratch, 'ho me');
  source = { distDir: join(scratch, 'dist'), nodePath: process.execPath, envAllowList: ['A'] };
  mkdirSync(join(source.distDir, 'bin'), { recursive: true });
  writeFileSync(join(source.distDir, 'forward.js'), 'console.log(JSON.stringify(process.argv.slice(2)));');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function addNative(script: string): void {
  const native = join(source.distDir, 'bin', 'hookline-forward');
  writeFileSync(native, script);
  chmodSync(native, 0o755);
}

test('without a native forwarder, a wrapper runs the JavaScript one and names its home', () => {
  const installed = installForwarder(home, source);
  expect(installed).toEqual({ path: forwarderPath(home), kind: 'node', changed: true });
  expect(statSync(installed.path).mode & 0o777).toBe(0o755);
  const env = { NODE_OPTIONS: '--require /no/such/file', HOOKLINE_HOME: '/elsewhere' };
  const out = execFileSync(installed.path, ['an-agent', 'A "b" $c'], { env, encoding: 'utf8' });
  expect(JSON.parse(out)).toEqual(['--home', home, 'an-agent', 'A "b" $c']);
  expect(readForwarderSettings(home)).toEqual({
    node: process.execPath,
    script: join(source.distDir, 'forward.js'),
    env: ['A'],
  });
});

test('a native forwarder is copied when it runs here', () => {
  addNative('#!/bin/sh\nexit 0\n');
  expect(installForwarder(home, source).kind).toBe('native');
  expect(readFileSync(forwarderPath(home), 'utf8')).toBe('#!/bin/sh\nexit 0\n');
});

test.each([
  ['fails', '#!/bin/sh\nexit 1\n'],
  ['is of another system', '\x7fELF, but not for this machine'],
])('a native forwarder that %s is not installed', (_, script) => {
  addNative(script);
  expect(installForwarder(home, source).kind).toBe('node');
});

test('installing again changes nothing, and leaves nothing else behind', () => {
  installForwarder(home, source);
  expect(installForwarder(home, source).changed).toBe(false);
  expect(readdirSync(join(home, 'bin')).sort()).toEqual(['forwarder.json', 'hookline-forward']);
  chmodSync(forwarderPath(home), 0o600);
  expect(installForwarder(home, source).changed).toBe(true);
  expect(installForwarder(home, { ...source, envAllowList: ['B'] }).changed).toBe(true);
});

describe('inspecting finds', () => {
  const code = () => inspectForwarder(home, source).code;

  test('no forwarder', () => {
    expect(code()).toBe('forwarder-missing');
  });

  test('nothing to complain of', () => {
    installForwarder(home, source);
    expect(inspectForwarder(home, source)).toMatchObject({ level: 'ok', fix: null });
  });

  test('one of another version', () => {
    installForwarder(home, source);
    addNative('#!/bin/sh\nexit 0\n');
    expect(inspectForwarder(home, source)).toMatchObject({ level: 'warning', code: 'forwarder-stale' });
  });

  test('one without settings', () => {
    installForwarder(home, source);
    writeFileSync(join(home, 'bin', 'forwarder.json'), '{');
    expect(code()).toBe('forwarder-settings');
  });

  test('a Node or a script that is gone', () => {
    installForwarder(home, { ...source, nodePath: join(scratch, 'old-node') });
    expect(inspectForwarder(home, source)).toMatchObject({ level: 'problem', code: 'forwarder-fallback' });
    installForwarder(home, source);
    rmSync(join(source.distDir, 'forward.js'));
    expect(code()).toBe('forwarder-fallback');
  });
});
