import { generateKeyPairSync } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { scratchHome, until } from '../../../test/support/daemon/daemon.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { beforeTool, call } from '../../../test/support/store/store.ts';
import { openHome } from '../../home/open.ts';
import { ALL, openMessenger } from '../approvals/messenger.ts';
import { openFleet } from '../fleet.ts';
import { machineOf } from '../machine.ts';
import { readMachines } from '../machines/follow-machines.ts';
import { searchStream } from '../machines/search-stream.ts';
import { publishPolicy } from '../policy/publish.ts';
import { ensureAuditStream } from '../record/audit-stream.ts';
import { type Role, rightsOf } from '../rights.ts';
import { writeFleetSettings } from '../settings.ts';
import { inboxOf, teamNames } from '../subjects.ts';
import { openMachinesBucket, openPolicyBucket } from './buckets.ts';
import { loadNats } from './nats.ts';

/** As an entry of the server's configuration. */
function permissions(machine: string, roles: readonly Role[]): string {
  return `permissions: ${JSON.stringify(rightsOf('test', machine, roles))}`;
}

const asMachine = (machine: string) => ({ login: 'one', authority: null, inbox: inboxOf(machine) });

/** A home whose machine logs in as a user with the rights of `as`, or with its own. */
async function limited(as?: string, roles: readonly Role[] = ['machine']) {
  const paths = scratchHome();
  const home = openHome(paths);
  if (home === null) throw new Error('the home is taken');
  const machine = machineOf(home.signer.publicKey(), 'tester').id;
  const server = await startServer(
    `authorization {users: [{user: admin, password: admin}, {user: machine, password: one, ${permissions(as ?? machine, roles)}}]}`,
  );
  const admin = testSettings(server, { login: 'password', user: 'admin' });
  const session = await openTestSession(admin, { login: 'admin', authority: null });
  await ensureAuditStream(session, admin);
  await openMachinesBucket(session, admin);
  const policies = await openPolicyBucket(session, admin);
  writeFleetSettings(paths, { ...admin, user: 'machine' }, { login: 'one', authority: null });
  home.recorder.commit(call(home.recorder.place(beforeTool('ls'))));
  const fleet = openFleet(home);
  onTestFinished(() => fleet.close().then(home.close));
  const audit = () => {
    const status = fleet.status();
    return status.joined ? status.parts.audit : undefined;
  };
  const own = { server, machine, signer: home.signer };
  const messages = async () => (await session.jsm.streams.info('hookline-test-audit')).state.messages;
  const policy = () => {
    const status = fleet.status();
    return status.joined ? status.parts.policy : undefined;
  };
  const problem = () => {
    const status = fleet.status();
    return status.joined ? status.problem : null;
  };
  return { audit, messages, policy, policies, own, problem };
}

test('a machine works with only its own rights', async () => {
  const { audit, messages } = await limited();
  await until(() => audit()?.waiting === 0);
  expect(audit()?.problem).toBeNull();
  expect(await messages()).toBe(1);
});

test('a machine accepts policies and reports them with its rights', async () => {
  const { policy, policies } = await limited();
  const { privateKey } = generateKeyPairSync('ed25519');
  await publishPolicy({
    bucket: policies,
    key: privateKey,
    team: 'test',
    after: 0,
    newest: null,
    change: () => ({ restores: null, sets: [] }),
  });
  // This machine has no policy key; what matters is that it saw the policy and could report.
  await until(() => policy()?.refused !== null);
  expect(policy()).toMatchObject({ problem: null, reportProblem: null, trusts: false });
});

test("rejects a machine with another one's login, and says so", async () => {
  const { audit, messages, problem } = await limited('0123456789abcdef0123456789abcdef');
  await until(() => problem() !== null);
  expect(problem()).toMatch(/login is not for this machine/);
  expect(audit()?.waiting).toBe(1);
  expect(await messages()).toBe(0);
});

test('it can also send and receive messages about approvals', async () => {
  const { own } = await limited();
  const settings = testSettings(own.server, { login: 'password', user: 'machine' });
  const { nats } = await openTestSession(settings, asMachine(own.machine));
  const machine = machineOf(own.signer.publicKey(), 'tester');
  const problems: string[] = [];
  const failed = (why: string) => void problems.push(why);
  const messenger = openMessenger(
    { nats },
    { signer: own.signer, machine, names: teamNames('test'), failed },
  );
  const heard: string[] = [];
  messenger.listen('pending', machine.id, () => heard.push('pending'));
  messenger.listen('hello', ALL, () => heard.push('hello'));
  messenger.listen('pending', '0123456789abcdef0123456789abcdef', () => heard.push('of another'));
  messenger.send('pending', machine.id, {});
  messenger.send('hello', ALL, {});
  await until(() => heard.length === 2 && problems.length === 1);
  expect(heard).toEqual(['pending', 'hello']);
  // Messages for another machine aren't for this one.
  expect(problems[0]).toMatch(/permissions violation/i);
});

test('a viewer sees the events and reports of all machines', async () => {
  const { own, audit, policy } = await limited(undefined, ['viewer']);
  await until(() => audit()?.waiting === 0 && policy()?.reportProblem === null);
  const settings = testSettings(own.server, { login: 'password', user: 'machine' });
  const session = await openTestSession(settings, asMachine(own.machine));
  const found = await searchStream(session, teamNames('test'), {}, { limit: 5, most: 100 });
  expect(found.events.map(({ machine, subject }) => [machine, subject])).toEqual([[own.machine, 'ls']]);
  expect((await readMachines(session, teamNames('test'))).list().map(({ name }) => name)).toEqual(['tester']);
});

test('a machine sees neither', async () => {
  const { own, audit } = await limited();
  await until(() => audit()?.waiting === 0);
  const settings = testSettings(own.server, { login: 'password', user: 'machine' });
  const session = await openTestSession(settings, asMachine(own.machine));
  const search = searchStream(session, teamNames('test'), {}, { limit: 5, most: 100 });
  await expect(search).rejects.toThrow(/permissions violation/i);
  await expect(readMachines(session, teamNames('test'))).rejects.toThrow(/permissions violation/i);
});

test('an administrator creates and protects the streams, and publishes', async () => {
  const server = await startServer(
    `authorization {users: [{user: boss, password: one, ${permissions('0'.repeat(32), ['administrator'])}}]}`,
  );
  const settings = testSettings(server, { login: 'password', user: 'boss' });
  const session = await openTestSession(settings, asMachine('0'.repeat(32)));
  await ensureAuditStream(session, settings);
  await openMachinesBucket(session, settings);
  const bucket = await openPolicyBucket(session, settings);
  for (const name of ['hookline-test-audit', 'KV_hookline-test-machines', 'KV_hookline-test-policy'])
    expect((await session.jsm.streams.info(name)).config).toMatchObject({
      ...{ allow_rollup_hdrs: false, deny_delete: true, deny_purge: true },
    });
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const change = () => ({ restores: null, sets: [] });
  const published = await publishPolicy({ bucket, key, team: 'test', after: 0, newest: null, change });
  expect(published.version).toBe(1);
});

test('the first login with the right to do so protects existing streams', async () => {
  const settings = testSettings(await startServer());
  const session = await openTestSession(settings);
  await session.jsm.streams.add({ name: 'hookline-test-audit', subjects: ['hookline.test.audit.>'] });
  const { Kvm } = (await loadNats()).kv;
  await new Kvm(session.js).create('hookline-test-machines');
  const config = async (name: string) => (await session.jsm.streams.info(name)).config;
  expect(await config('KV_hookline-test-machines')).toMatchObject({ allow_rollup_hdrs: true });
  await ensureAuditStream(session, settings);
  await openMachinesBucket(session, settings);
  for (const name of ['hookline-test-audit', 'KV_hookline-test-machines'])
    expect(await config(name)).toMatchObject({
      allow_rollup_hdrs: false,
      deny_delete: true,
      deny_purge: true,
    });
});
