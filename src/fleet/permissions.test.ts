import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { scratchHome, until } from '../daemon/testing.ts';
import { openHome } from '../home/open.ts';
import { beforeTool, call } from '../store/testing.ts';
import { ensureAuditStream } from './audit-stream.ts';
import { openMachinesBucket, openPolicyBucket } from './buckets.ts';
import { openFleet } from './fleet.ts';
import { readMachines } from './follow-machines.ts';
import { machineOf } from './machine.ts';
import { ALL, openMessenger } from './messenger.ts';
import { publishPolicy } from './publish.ts';
import { searchStream } from './search-stream.ts';
import { writeFleetSettings } from './settings.ts';
import { teamNames } from './subjects.ts';
import { openTestSession, startServer, testWithServer as test, testSettings } from './testing.ts';

/** What docs/fleet.md tells administrators to let a machine do; `looks`: and whoever looks at all of them. */
function documented(machine: string, looks = false): string {
  const page = readFileSync(new URL('../../docs/fleet.md', import.meta.url), 'utf8');
  const [, own = '', subscribe = ''] = /publish:([^`]*?)subscribe:([^`]*?)```/.exec(page) ?? [];
  const [, first = '', second = ''] = /looks at all machines[^`]*`([^`]*)`[^`]*`([^`]*)`/.exec(page) ?? [];
  const publish = looks ? `${own} ${first} ${second}` : own;
  const list = (text: string) =>
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((one) => JSON.stringify(one.replace('<machine>', machine).replaceAll('core', 'test')))
      .join(', ');
  return `permissions: {publish: [${list(publish)}], subscribe: [${list(subscribe)}]}`;
}

/** A home whose machine logs in as a user that may write as `as`; itself where none is given. */
async function limited(as?: string, looks = false) {
  const paths = scratchHome();
  const home = openHome(paths);
  if (home === null) throw new Error('the home is taken');
  const machine = machineOf(home.signer.publicKey(), 'tester').id;
  const server = await startServer(
    `authorization {users: [{user: admin, password: admin}, {user: machine, password: one, ${documented(as ?? machine, looks)}}]}`,
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
  return { audit, messages, policy, policies, own };
}

test('a machine needs no more than docs/fleet.md says', async () => {
  const { audit, messages } = await limited();
  await until(() => audit()?.waiting === 0);
  expect(audit()?.problem).toBeNull();
  expect(await messages()).toBe(1);
});

test('a machine takes on rules and says so with what docs/fleet.md says', async () => {
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
  // This machine trusts nobody: what counts here is that it has seen it, and could report.
  await until(() => policy()?.refused !== null);
  expect(policy()).toMatchObject({ problem: null, reportProblem: null, trusts: false });
});

test('a machine that may not write as itself is refused, and says so', async () => {
  const { audit, messages } = await limited('0123456789abcdef0123456789abcdef');
  await until(() => /permissions violation/i.test(audit()?.problem ?? ''));
  expect(audit()?.waiting).toBe(1);
  expect(await messages()).toBe(0);
});

test('and it can tell others of approvals, and hear them', async () => {
  const { own } = await limited();
  const settings = testSettings(own.server, { login: 'password', user: 'machine' });
  const { nats } = await openTestSession(settings, { login: 'one', authority: null });
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
  // What is for another machine is not for this one.
  expect(problems[0]).toMatch(/permissions violation/i);
});

test.each([
  [true, ['tester']],
  [false, null],
])(
  'who looks at all machines (%s) sees their events, and what they say of themselves',
  async (looks, names) => {
    const { own, audit, policy } = await limited(undefined, looks);
    await until(() => audit()?.waiting === 0 && policy()?.reportProblem === null);
    const settings = testSettings(own.server, { login: 'password', user: 'machine' });
    const session = await openTestSession(settings, { login: 'one', authority: null });
    const found = await searchStream(session, teamNames('test'), {}, { limit: 5, most: 100 });
    expect(found.events.map(({ machine, subject }) => [machine, subject])).toEqual([[own.machine, 'ls']]);
    const read = readMachines(session, teamNames('test'));
    if (names === null) await expect(read).rejects.toThrow(/permissions violation/i);
    else expect((await read).list().map(({ name }) => name)).toEqual(names);
  },
);
