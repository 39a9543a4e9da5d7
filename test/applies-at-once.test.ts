import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { confirmed as confirmedFindings } from '../src/cli/doctor/checks/confirmed.ts';
import type { Daemon } from '../src/daemon/run-daemon.ts';
import { writeAccepted } from '../src/fleet/policy/accepted.ts';
import { signPolicy } from '../src/fleet/policy/document.ts';
import { publicKeyText } from '../src/fleet/policy/keys.ts';
import { openConfirmed } from '../src/home/confirmed/confirmed.ts';
import { pendingChanges } from '../src/home/confirmed/pending.ts';
import type { HomePaths } from '../src/home/paths.ts';
import { DEFAULT_PACKS } from '../src/rules/rule-set.ts';
import { machineSigner } from '../src/store/chain/machine-key.ts';
import { bashCall, scratchHome, startDaemon } from './support/daemon/daemon.ts';
import { scratchFolder } from './support/scratch.ts';

// Weaker settings wait for a person if the system can identify one. Changes that are not the person's to confirm never
// wait.

const PORT = 'http: {port: 0}\n';
const WEAKER = `${PORT}packs: {git: off}\n`;
const FORCED = 'git push --force origin main';
const NO_DEPLOY = 'rules: [{ id: no-deploy, command: deploy, deny: Not from here. }]\n';

async function isDenied({ hub }: Daemon, command: string, more: object = {}): Promise<boolean> {
  return JSON.stringify(await hub.call(bashCall(command, more))).includes('"deny"');
}

function expectNothingWaits(paths: HomePaths, { home, hub }: Daemon): void {
  expect(pendingChanges(paths, home.confirmed)).toEqual({ lost: false, changes: [] });
  expect(hub.alerts.list()).toEqual([]);
}

describe("a system that can't tell who runs a command", () => {
  const macOS = (program: string | null) => ({ platform: 'darwin' as const, native: () => program });

  test('on macOS without the native program, changes apply at once and are reported', async () => {
    const paths = scratchHome(PORT);
    const daemon = await startDaemon(paths, macOS(null));
    writeFileSync(paths.config, WEAKER);
    expect(await isDenied(daemon, FORCED)).toBe(false);
    expect(daemon.hub.alerts.list()).toMatchObject([
      { code: 'weakened-at-once', message: expect.stringContaining('packs.git: on → off') },
    ]);
    expect(confirmedFindings({ paths })).toMatchObject([{ level: 'limit', code: 'confirm-at-once' }]);
    expect(daemon.home.confirmed.atOnce).toContain("can't identify who runs a command");
  });

  test('with the program they wait from then on, even after it is removed', async () => {
    const paths = scratchHome(PORT);
    await (await startDaemon(paths, macOS(null))).stop();
    await (await startDaemon(paths, macOS('/bin/true'))).stop();
    writeFileSync(paths.config, WEAKER);
    const daemon = await startDaemon(paths, macOS(null));
    expect(await isDenied(daemon, FORCED)).toBe(true);
    expect(daemon.hub.alerts.list()).toMatchObject([{ code: 'unconfirmed' }]);
  });

  test('on Windows they apply at once', () => {
    const paths = scratchHome(PORT);
    const told: string[] = [];
    const confirmed = openConfirmed(paths, {
      signer: machineSigner(paths, () => {}),
      weakened: (name, lines) => told.push(`${name}: ${lines}`),
      failed: (error) => expect.fail(String(error)),
      platform: 'win32',
    });
    expect(confirmed.config(WEAKER).packs).toEqual({ git: 'off' });
    expect(told).toEqual(['config.yaml: packs.git: on → off']);
    expect(openConfirmed(paths).atOnce).not.toBeNull();
  });
});

test('the rules of a project change with its files', async () => {
  const paths = scratchHome(PORT);
  const cwd = scratchFolder();
  const file = join(cwd, '.hookline', 'rules', 'own.yaml');
  mkdirSync(join(cwd, '.hookline', 'rules'), { recursive: true });
  mkdirSync(join(cwd, '.git'));
  writeFileSync(file, NO_DEPLOY);
  const daemon = await startDaemon(paths);
  expect(await isDenied(daemon, 'deploy', { cwd })).toBe(true);
  writeFileSync(file, NO_DEPLOY.replace('deny: Not from here.', 'ask: Sure?'));
  expect(await isDenied(daemon, 'deploy', { cwd })).toBe(false);
  writeFileSync(file, NO_DEPLOY);
  expect(await isDenied(daemon, 'deploy', { cwd })).toBe(true);
  rmSync(file);
  expect(await isDenied(daemon, 'deploy', { cwd })).toBe(false);
  expectNothingWaits(paths, daemon);
});

test('packs that a release has off by default are off', async () => {
  const paths = scratchHome(PORT);
  const before = await startDaemon(paths);
  expect(await isDenied(before, FORCED)).toBe(true);
  await before.stop();
  const { git } = DEFAULT_PACKS;
  Object.assign(DEFAULT_PACKS, { git: 'off' });
  onTestFinished(() => void Object.assign(DEFAULT_PACKS, { git }));
  const after = await startDaemon(paths);
  expect(await isDenied(after, FORCED)).toBe(false);
  writeFileSync(paths.config, `${PORT}failure: closed\n`);
  expect(after.home.config.failure).toBe('closed');
  expectNothingWaits(paths, after);
});

test('a signed fleet policy that removes rules applies at once', async () => {
  const paths = scratchHome(PORT);
  const { privateKey } = generateKeyPairSync('ed25519');
  const [team, key] = ['acme', publicKeyText(privateKey)];
  const publish = (version: number, text: string) => {
    const target = { groups: [], repositories: [], agents: [] };
    const set = { target, files: { 'a.yaml': text }, percent: 100, observe: false, before: null };
    const document = { team, version, createdAt: '2026-11-18T00:00:00Z', restores: null, sets: [set] };
    writeAccepted(paths.fleetPolicy, { team, key, machine: 'm', signed: signPolicy(document, privateKey) });
  };
  const daemon = await startDaemon(paths);
  // As a machine has them that joined; the daemon of the test reaches no server.
  writeFileSync(paths.fleet, JSON.stringify({ team, groups: [], policyKey: key }));
  publish(1, NO_DEPLOY);
  expect(await isDenied(daemon, 'deploy')).toBe(true);
  publish(2, 'rules: []\n');
  expect(await isDenied(daemon, 'deploy')).toBe(false);
  expectNothingWaits(paths, daemon);
});
