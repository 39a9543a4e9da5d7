import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { REFUSED } from './answers.ts';
import { createShim, type Shim } from './core.ts';
import { packagedSettings, shimSettings } from './settings.ts';

const AGENT = { id: 'agent', refusals: { guard: REFUSED }, deadlineMs: null };

/** A home, and the shim of a package on a machine that has it. */
function machine() {
  const home = scratchFolder();
  const forwarder = join(home, 'bin', 'hookline-forward');
  mkdirSync(join(home, 'bin'));
  const packaged = () => {
    vi.stubEnv('HOOKLINE_HOME', home);
    const shim = createShim(packagedSettings(AGENT));
    vi.unstubAllEnvs();
    return shim;
  };
  return {
    packaged,
    written: (at = home) => createShim(shimSettings(AGENT, { home: at, forwarder, failClosed: false })),
    setUp: () => {
      writeFileSync(forwarder, '#!/bin/sh\necho \'{"refuse":"No."}\'\n');
      chmodSync(forwarder, 0o755);
    },
    failClosed: () => writeFileSync(join(home, 'bin', 'fail-closed.json'), 'broken'),
  };
}

test('the first of two copies that sees an event handles it', () => {
  const { packaged, written, setUp } = machine();
  setUp();
  const [first, second] = [packaged(), written()];
  const [one, other] = [{}, {}];
  expect([first.takes(one), second.takes(one), first.takes(one)]).toEqual([true, false, true]);
  expect([second.takes(other), first.takes(other)]).toEqual([true, false]);
});

/** What the user reads on the screen. */
function warningsOf(shim: Shim): readonly string[] {
  const texts: string[] = [];
  shim.warnUnguarded((text) => texts.push(text));
  return texts;
}

test('copies of two homes both handle it, because each has its own rules', () => {
  const { packaged, written, setUp } = machine();
  setUp();
  const event = {};
  expect([packaged().takes(event), written(scratchFolder()).takes(event)]).toEqual([true, true]);
});

test('a package that guards nothing leaves an event to the file from setup, and says so once', async () => {
  const { packaged, written, setUp } = machine();
  const event = {};
  const shim = packaged();
  expect([shim.takes(event), written().takes(event)]).toEqual([true, true]);
  expect(await shim.ask('guard', { session_id: 's', cwd: null })).toEqual({});
  expect(warningsOf(shim)).toEqual([expect.stringMatching(/nothing is guarded.*hookline setup agent/)]);
  expect(warningsOf(shim)).toEqual([]);
  expect(warningsOf(written())).toEqual([]);
  // From then on it guards, without a new start of the client.
  setUp();
  expect(await shim.ask('guard', { session_id: 's', cwd: null })).toEqual({ refuse: 'No.' });
  expect(warningsOf(packaged())).toEqual([]);
});

test('a package without a forwarder denies in failure mode closed', async () => {
  const { packaged, written, failClosed } = machine();
  failClosed();
  const shim = packaged();
  const event = {};
  expect([shim.takes(event), written().takes(event)]).toEqual([true, false]);
  expect(await shim.ask('guard', { session_id: 's', cwd: null })).toEqual({
    refuse: expect.stringContaining('set to fail closed'),
  });
  expect(await shim.ask('other', { session_id: 's', cwd: null })).toEqual({});
  expect(warningsOf(shim)).toEqual([]);
});
