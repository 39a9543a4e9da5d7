import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openFleet } from '../../../src/fleet/fleet.ts';
import type { PolicyDocument, PolicySet } from '../../../src/fleet/policy/document.ts';
import { publicKeyText } from '../../../src/fleet/policy/keys.ts';
import { publishPolicy } from '../../../src/fleet/policy/publish.ts';
import { openPolicyPart } from '../../../src/fleet/policy/receive.ts';
import { openPolicyBucket } from '../../../src/fleet/server/buckets.ts';
import {
  type FleetSecrets,
  type FleetSettings,
  NO_SECRETS,
  writeFleetSettings,
} from '../../../src/fleet/settings.ts';
import { type OpenHome, openHome } from '../../../src/home/open.ts';
import type { HomePaths } from '../../../src/home/paths.ts';
import { scratchHome } from '../daemon/daemon.ts';
import { openTestSession } from './nats.ts';

/** Denies commands that begin with the word, and says so in a test of its own. */
export const denying = (word: string, id = `no-${word}`) =>
  `rules:\n  - id: ${id}\n    deny: Not in this team.\n    command: ${word}\n    tests: {match: ["${word} x"], pass: ["ls"]}\n`;

export const ALL_MACHINES = { groups: [], repositories: [], agents: [] };

export const setOf = (files: Record<string, string>, more: Partial<PolicySet> = {}): PolicySet => ({
  target: ALL_MACHINES,
  files,
  percent: 100,
  observe: false,
  before: null,
  ...more,
});

/** An administrator who signs rules for a team. */
export async function testAdmin(
  settings: FleetSettings,
  privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey,
  secrets: FleetSecrets = NO_SECRETS,
) {
  const session = await openTestSession(settings, secrets);
  const bucket = await openPolicyBucket(session, settings);
  const change = (
    make: (documents: readonly PolicyDocument[]) => Pick<PolicyDocument, 'sets' | 'restores'>,
  ) => publishPolicy({ bucket, key: privateKey, team: settings.team, after: 0, newest: null, change: make });
  return {
    key: privateKey,
    policyKey: publicKeyText(privateKey),
    session,
    bucket,
    change,
    publish: (...sets: PolicySet[]) => change(() => ({ restores: null, sets })),
  };
}

/** A machine of its own in a fleet, gone with the test. */
export function testMachine(
  settings: FleetSettings,
  paths: HomePaths = scratchHome(),
  secrets: FleetSecrets = NO_SECRETS,
) {
  writeFleetSettings(paths, settings, secrets);
  const home = openHome(paths);
  if (home === null) throw new Error('the home is taken');
  const fleet = openFleet(home, [openPolicyPart]);
  const close = async () => {
    await fleet.close();
    home.close();
  };
  let closing: Promise<void> | null = null;
  const closeOnce = () => {
    closing ??= close();
    return closing;
  };
  onTestFinished(closeOnce);
  return { paths, home, ...seen(home, fleet), close: closeOnce };
}

function seen(home: OpenHome, fleet: ReturnType<typeof openFleet>) {
  const policy = () => {
    const status = fleet.status();
    return status.joined ? status.parts.policy : undefined;
  };
  return {
    policy,
    alerts: () => home.alerts.list().map(({ message }) => message),
    /** Ids of the fleet's rules, those that only observe in brackets. */
    rules: (project: string | null = null) =>
      home.rules
        .inForce(project)
        .rules.filter(({ layer }) => layer === 'fleet')
        .map(({ id, observing }) => (observing ? `(${id})` : id)),
  };
}
