import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../../test/support/daemon/daemon.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { ALL_MACHINES, denying, setOf, testAdmin, testMachine } from '../../../test/support/fleet/policy.ts';
import { beforeTool } from '../../../test/support/store/store.ts';
import { changeConfirmed } from '../../home/confirmed/pending.ts';
import { createEngine } from '../../home/engine.ts';
import { merge } from '../../model/merge.ts';
import { none } from '../../model/responses.ts';
import { readMachines } from '../machines/follow-machines.ts';
import { openMachinesBucket, openPolicyBucket, POLICY_KEY } from '../server/buckets.ts';
import { teamNames } from '../subjects.ts';
import { published, restored, rolledOut } from './change.ts';
import { signPolicy } from './document.ts';
import { publishPolicy } from './publish.ts';
import { percentOf } from './target.ts';

/** A server, an administrator's key, and settings of machines that trust it. */
async function team() {
  const server = await startServer();
  const admin = await testAdmin(testSettings(server));
  return { server, admin, trusting: testSettings(server, { policyKey: admin.policyKey }) };
}

const reportsTo = async ({ session }: Awaited<ReturnType<typeof testAdmin>>) =>
  (await readMachines(session, teamNames('test'))).list();

const atVersion = (machine: ReturnType<typeof testMachine>, version: number) =>
  until(() => machine.policy()?.version === version);

/** The opinions of a machine's rules about a command, and the decision. */
async function decides({ home }: ReturnType<typeof testMachine>, command: string) {
  const [rules] = createEngine(home).handlers;
  const opinions = (await rules?.decide(beforeTool(command))) ?? [];
  const said = opinions.filter(({ observing }) => !observing).map(({ response }) => response);
  return { said: said.map(({ decision }) => decision), result: said.reduce(merge, none()).decision };
}

test('three machines receive a published deny rule and report it', async () => {
  const { admin, trusting } = await team();
  const machines = ['one', 'two', 'three'].map((name) => testMachine({ ...trusting, name }));
  const bucket = await openMachinesBucket(admin.session, trusting);
  // All of them are listening before anything is published.
  await until(async () => (await reportsTo(admin)).length === 3);
  await admin.publish(setOf({ 'deploy.yaml': denying('deploy') }));
  for (const machine of machines) await atVersion(machine, 1);
  for (const machine of machines) {
    expect(machine.rules()).toEqual(['no-deploy']);
    expect((await decides(machine, 'deploy now')).result).toBe('deny');
    expect((await decides(machine, 'ls')).result).not.toBe('deny');
  }
  await until(async () => (await reportsTo(admin)).every(({ policy }) => policy.version === 1));
  const [report] = await reportsTo(admin);
  const said = (await bucket.get(report?.id ?? ''))?.string() ?? '';
  // A report counts only for the machine that signed it.
  await bucket.put('0123456789abcdef0123456789abcdef', said);
  expect((await reportsTo(admin)).map(({ name }) => name)).toEqual(['one', 'three', 'two']);
  await bucket.put(report?.id ?? '', said.replace('"version":1', '"version":9'));
  // Its last signed report still counts.
  expect((await reportsTo(admin)).map(({ name, policy }) => [name, policy.version])).toEqual([
    ['one', 1],
    ['three', 1],
    ['two', 1],
  ]);
});

test("a machine's own rules may tighten the policy, but not relax or disable it", async () => {
  const { admin, trusting } = await team();
  const machine = testMachine(trusting);
  changeConfirmed(machine.paths, machine.home.confirmed, () => {
    writeFileSync(
      join(machine.paths.rules, 'mine.yaml'),
      'rules:\n  - {id: fine, allow: true, command: deploy}\n  - {id: no-deploy, allow: true, command: deploy}\n  - {id: no-ship, deny: Not here., command: ship}\n',
    );
    writeFileSync(machine.paths.config, 'http: {port: 0}\ndisabledRules: [no-deploy]\n');
  });
  const allows = 'rules:\n  - {id: may-ship, allow: true, command: ship}\n';
  await admin.publish(setOf({ 'a.yaml': denying('deploy'), 'b.yaml': allows }));
  await atVersion(machine, 1);
  expect(machine.rules()).toEqual(['no-deploy', 'may-ship']);
  // Both match, and a deny is stronger than any allow.
  const deploy = await decides(machine, 'deploy now');
  expect(deploy.said).toEqual(expect.arrayContaining(['deny', 'allow']));
  expect(deploy.result).toBe('deny');
  expect((await decides(machine, 'ship it')).result).toBe('deny');
});

test("another key's signature, an older version, another team and a deleted key change nothing", async () => {
  const { admin, trusting } = await team();
  const machine = testMachine(trusting);
  await admin.publish(setOf({ 'a.yaml': denying('deploy') }));
  await atVersion(machine, 1);
  const first = (await admin.bucket.get(POLICY_KEY))?.string() ?? '';
  const second = await admin.publish(setOf({ 'a.yaml': denying('ship') }));
  await atVersion(machine, 2);

  const refusedBecause = async (text: string, why: RegExp) => {
    await admin.bucket.put(POLICY_KEY, text);
    await until(() => why.test(JSON.stringify(machine.policy()?.refused)));
    expect(machine.policy()?.version).toBe(2);
    expect(machine.rules()).toEqual(['no-ship']);
    expect(machine.alerts().join()).toMatch(why);
  };
  await refusedBecause(first, /version 1 is older than the active version 2/);
  const { privateKey: stranger } = generateKeyPairSync('ed25519');
  await refusedBecause(
    signPolicy({ ...second, version: 3, sets: [] }, stranger),
    /not signed by the trusted key/,
  );
  const changed = signPolicy({ ...second, version: 4 }, admin.key).replace('"version":4', '"version":5');
  await refusedBecause(changed, /not signed by the trusted key/);
  await refusedBecause(
    signPolicy({ ...second, sets: [] }, admin.key),
    /two different policies have version 2/,
  );
  await refusedBecause(
    signPolicy({ ...second, version: 9, team: 'other' }, admin.key),
    /for the fleet other/,
  );
  await refusedBecause('nonsense', /not a signed policy/);
  await admin.bucket.delete(POLICY_KEY);

  // The administrator's next version is higher than all of them.
  await admin.publish(setOf({ 'a.yaml': denying('sell') }));
  await atVersion(machine, 3);
  expect(machine.alerts()).toEqual([]);
  expect(machine.policy()?.refused).toBeNull();
});

test('rules that are invalid or fail their own tests are neither published nor applied', async () => {
  const { admin, trusting } = await team();
  const machine = testMachine(trusting);
  const good = await admin.publish(setOf({ 'a.yaml': denying('deploy') }));
  await atVersion(machine, 1);
  const unread = { 'a.yaml': 'rules:\n  - {deny: x, comand: deploy}\n' };
  const failing = { 'a.yaml': denying('deploy').replace('deploy x', 'ship x') };
  for (const [files, why] of [
    [unread, /comand: unknown key/],
    [failing, /rule no-deploy should match ship x/],
  ] as const) {
    await expect(admin.publish(setOf(files))).rejects.toThrow(why);
    await admin.bucket.put(POLICY_KEY, signPolicy({ ...good, version: 7, sets: [setOf(files)] }, admin.key));
    await until(() => why.test(JSON.stringify(machine.policy()?.refused)));
    expect(machine.rules()).toEqual(['no-deploy']);
    expect(machine.policy()?.version).toBe(1);
  }
  // A rejected policy is reported too.
  await until(async () => (await reportsTo(admin)).some(({ policy }) => policy.refused?.version === 7));
});

test('a machine without a policy key applies nothing and says so', async () => {
  const { admin, trusting } = await team();
  const machine = testMachine({ ...trusting, policyKey: null });
  await admin.publish(setOf({ 'a.yaml': denying('deploy') }));
  await until(() => machine.alerts().length > 0);
  expect(machine.alerts().join()).toContain('trusts no policy key yet');
  expect(machine.rules()).toEqual([]);
  expect(machine.policy()).toMatchObject({ trusts: false, version: null });
});

test('rolls out to some machines, then in observe mode, then to all, and back', async () => {
  const { admin, trusting } = await team();
  const machine = testMachine(trusting);
  const place = Math.floor(percentOf(await idOf(admin, trusting)));
  const old = { 'a.yaml': denying('deploy') };
  const next = { 'a.yaml': denying('deploy'), 'b.yaml': denying('ship') };
  await admin.publish(setOf(old));
  await atVersion(machine, 1);
  // Just too low for this machine, which keeps what it had.
  await admin.change(([now]) =>
    published(now?.sets ?? [], { target: ALL_MACHINES, files: next, percent: place, observe: true }),
  );
  await atVersion(machine, 2);
  expect(machine.rules()).toEqual(['no-deploy']);
  // High enough: the new rules observe, the previous ones decide.
  await admin.change(([now]) => rolledOut(now?.sets ?? [], { target: ALL_MACHINES, percent: place + 1 }));
  await atVersion(machine, 3);
  expect(machine.rules()).toEqual(['no-deploy', '(no-deploy/next)', '(no-ship)']);
  await admin.change(([now]) =>
    rolledOut(now?.sets ?? [], { target: ALL_MACHINES, percent: 100, enforce: true }),
  );
  await atVersion(machine, 4);
  expect(machine.rules()).toEqual(['no-deploy', 'no-ship']);
  // A rollback is a new version with the rules of an earlier one.
  await admin.change((documents) => restored(documents, 1));
  await atVersion(machine, 5);
  expect(machine.rules()).toEqual(['no-deploy']);
});

async function idOf(admin: Awaited<ReturnType<typeof testAdmin>>, settings: ReturnType<typeof testSettings>) {
  await openMachinesBucket(admin.session, settings);
  await until(async () => (await reportsTo(admin)).length === 1);
  return (await reportsTo(admin))[0]?.id ?? '';
}

test('without the server the last good version applies, and changes to it are detected', async () => {
  const { server, admin, trusting } = await team();
  const first = testMachine(trusting);
  await admin.publish(setOf({ 'a.yaml': denying('deploy') }));
  await atVersion(first, 1);
  await first.close();
  await server.kill();
  const again = testMachine(trusting, first.paths);
  expect(again.rules()).toEqual(['no-deploy']);
  expect(again.policy()).toMatchObject({ version: 1 });

  // A change to the file doesn't change the rules and is reported.
  const kept = readFileSync(first.paths.fleetPolicy, 'utf8');
  writeFileSync(first.paths.fleetPolicy, kept.replaceAll('deploy', 'nothing'));
  expect(again.rules()).toEqual(['no-deploy']);
  expect(
    again.home.rules
      .inForce(null)
      .problems.map(({ message }) => message)
      .join(),
  ).toContain('not signed');
});

test("the next version doesn't undo what the server has lost or hides", async () => {
  const { admin, trusting } = await team();
  const web = { ...ALL_MACHINES, groups: ['web'] };
  await admin.publish(setOf({ 'a.yaml': denying('deploy') }));
  const newest = await admin.publish(
    setOf({ 'a.yaml': denying('deploy') }),
    setOf({ 'b.yaml': denying('ship') }, { target: web }),
  );
  const session = await openTestSession(trusting);
  await session.jsm.streams.delete('KV_hookline-test-policy');
  const next = await publishPolicy({
    bucket: await openPolicyBucket(session, trusting),
    key: admin.key,
    team: trusting.team,
    after: newest.version,
    newest,
    change: ([current]) =>
      published(current?.sets ?? [], {
        ...{ target: ALL_MACHINES, files: { 'c.yaml': denying('push') }, percent: 100, observe: false },
      }),
  });
  expect(next.version).toBe(3);
  expect(next.sets.flatMap(({ files }) => Object.keys(files))).toEqual(['b.yaml', 'c.yaml']);
});
