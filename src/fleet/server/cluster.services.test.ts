import type { KeyObject } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { scratchHome, until } from '../../../test/support/daemon/daemon.ts';
import { startCluster } from '../../../test/support/fleet/cluster.ts';
import { readStream, recordIds, testWithServer as test } from '../../../test/support/fleet/nats.ts';
import { denying, setOf, testAdmin } from '../../../test/support/fleet/policy.ts';
import { beforeTool, call } from '../../../test/support/store/store.ts';
import { openHome } from '../../home/open.ts';
import { openFleet } from '../fleet.ts';
import { type FleetSettings, NO_SECRETS, writeFleetSettings } from '../settings.ts';
import { teamNames } from '../subjects.ts';

const LONG = 100_000;
const STREAM = teamNames('test').auditStream;

/** A machine that records, sends and accepts policies. */
function machine(settings: FleetSettings) {
  const paths = scratchHome();
  writeFleetSettings(paths, settings, NO_SECRETS);
  const home = openHome(paths);
  if (home === null) throw new Error('the home is taken');
  const fleet = openFleet(home);
  onTestFinished(() => fleet.close().then(home.close));
  const ids: string[] = [];
  const parts = () => {
    const status = fleet.status();
    return status.joined ? status.parts : {};
  };
  return {
    ids,
    waiting: () => Number(parts().audit?.waiting),
    version: () => parts().policy?.version,
    record(count: number) {
      for (let made = 0; made < count; made += 1) {
        const id = `${settings.name}-${ids.length}`;
        home.recorder.commit(call({ ...home.recorder.place(beforeTool('ls')), id }));
        ids.push(id);
      }
    },
  };
}

async function publishOnce(settings: FleetSettings, key: KeyObject, word: string): Promise<number | null> {
  try {
    const admin = await testAdmin(settings, key);
    return (await admin.publish(setOf({ 'a.yaml': denying(word) }))).version;
  } catch {
    return null;
  }
}

test('with three servers one may die, even the leader: rules arrive, and each record is stored once', async () => {
  const cluster = await startCluster();
  const { settings } = cluster;
  const admin = await testAdmin(settings);
  const names = ['one', 'two', 'three'];
  const machines = names.map((name) => machine({ ...settings, name, policyKey: admin.policyKey }));
  const allMachines = (holds: (one: (typeof machines)[number]) => boolean) =>
    until(() => machines.every(holds), LONG);
  /** Publishes, and waits until it is active on all of them. */
  const publish = async (word: string) => {
    let version: number | null = null;
    // The publisher may be connected to a server that dies, and retries.
    await until(async () => {
      version = await publishOnce(settings, admin.key, word);
      return version !== null;
    }, LONG);
    await allMachines((one) => one.version() === version);
  };

  for (const one of machines) one.record(300);
  await publish('deploy');
  await allMachines(({ waiting }) => waiting() === 0);

  const leader = await cluster.leaderOf(STREAM);
  for (const one of machines) one.record(300);
  await leader.kill();
  for (const one of machines) one.record(300);
  await publish('ship');
  await allMachines(({ waiting }) => waiting() === 0);
  expect((await cluster.leaderOf(STREAM)).name).not.toBe(leader.name);

  // It restarts and catches up, and then another one may die.
  await leader.start();
  await cluster.isWhole(STREAM);
  const follower = cluster.nodes.find(({ name }) => name !== leader.name);
  for (const one of machines) one.record(100);
  await follower?.kill();
  for (const one of machines) one.record(100);
  await allMachines(({ waiting }) => waiting() === 0);
  await follower?.start();
  await cluster.isWhole(STREAM);

  // A dying leader may lose records that it had confirmed. The machines notice and send them again.
  const ids = machines.flatMap((one) => one.ids).sort();
  const found = async () => recordIds(await readStream(settings)).toSorted();
  await until(async () => (await found()).length >= ids.length, LONG);
  expect(await found()).toEqual(ids);
}, 500_000);
