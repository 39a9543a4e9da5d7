import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { person, printed, useHome } from '../../../test/support/cli.ts';
import { scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { machineOf } from '../../fleet/machine.ts';
import type { Access } from '../../model/people/access.ts';
import { readIfExists } from '../../platform/files.ts';
import { listEvents } from '../../store/read/queries.ts';
import fleet from './fleet.ts';

const noPerson: Access = {
  decide: async () => ({ allowed: false, why: 'An agent asks.', hint: 'Ask the user.', agent: 'a' }),
};

async function running(access: Access = person) {
  const paths = scratchHome();
  useHome(paths);
  return { paths, daemon: await startDaemon(paths, { access }) };
}

const said = async (code: number, ...args: string[]) => (await printed(fleet, args, code)).join('\n');

test('join, status, verify, leave', async () => {
  const server = await startServer('authorization {token: s3cret-of-the-team}');
  const { paths, daemon } = await running();
  expect(await said(0, 'status')).toContain('not in a fleet');
  vi.stubEnv('HOOKLINE_FLEET_TOKEN', 's3cret-of-the-team');
  await said(0, 'join', server.url, '--team', 'core', '--name', 'Maya’s laptop', '--with-history');
  await until(async () => JSON.parse(await said(0, 'status', '--json')).parts.audit.waiting === 0);
  const status = JSON.parse(await said(0, 'status', '--json'));
  expect(status).toMatchObject({
    joined: true,
    team: 'core',
    connected: true,
    machine: { name: 'Maya’s laptop' },
  });
  // Joining is itself recorded.
  expect(status.parts.audit.sent).toBeGreaterThan(0);
  expect(await said(0, 'status')).toMatch(
    /core {2}nats:.*\nmachine {4}Maya’s laptop .*\nserver {5}connected since.*\naudit {6}.*\npolicy {5}the fleet policy does not apply here: .*\napprovals {2}0 machines can answer here, 0 pending elsewhere$/,
  );
  // The machine has its name as soon as it has reported, which doesn't wait for the records.
  await until(async () => JSON.parse(await said(0, 'machines', '--json')).machines.length === 1);
  expect(await said(0, 'verify')).toMatch(
    /^Maya’s laptop [\da-f]{32} {2}ok {2}\d+ records?, nothing signed yet/,
  );

  const settings = readFileSync(paths.fleet, 'utf8');
  expect(settings).not.toContain('s3cret');
  const secret = join(paths.root, 'secrets', 'fleet-login');
  expect(statSync(secret).mode & 0o777).toBe(0o600);

  expect(await said(0, 'leave')).toBe('Left the fleet core. Data that was sent stays on its server.');
  expect(readIfExists(paths.fleet)).toBeNull();
  expect(readIfExists(secret)).toBeNull();
  expect(JSON.parse(await said(0, 'status', '--json'))).toEqual({ joined: false, problem: null });
  const noted = JSON.stringify(listEvents(daemon.home.db, {}));
  expect(noted).toContain('maya joined the fleet core');
  expect(noted).toContain('maya left the fleet core');
  expect(noted).not.toContain('s3cret');
});

test('an administrator signs rules, and takes them back', async () => {
  const server = await startServer();
  const { paths, daemon } = await running();
  await said(0, 'join', server.url, '--group', 'web');
  await expect(fleet.run(['publish', paths.rules])).rejects.toThrow('no signing key');
  const { key } = JSON.parse(await said(0, 'admin', 'init', '--json'));
  expect(statSync(join(paths.root, 'secrets', 'fleet-admin.pem')).mode & 0o777).toBe(0o600);
  // The key is created once.
  expect(await said(0, 'admin', 'init')).toContain(`hookline fleet trust ${key}`);
  expect(await said(0, 'policy')).toContain('trusts no policy key');
  await said(0, 'trust', key);
  expect(JSON.stringify(listEvents(daemon.home.db, {}))).toMatch(/trusted the policy key [\da-f]{16}/);
  await expect(fleet.run(['rollout', '--percent', '10'])).rejects.toThrow(
    'No policy has been published yet.',
  );

  const folder = scratchFolder();
  await expect(fleet.run(['publish', folder])).rejects.toThrow('No rule files');
  writeFileSync(join(folder, 'a.yaml'), 'rules:\n  - {id: no-deploy, deny: No., command: deploy}\n');
  expect(await said(0, 'publish', folder)).toBe(
    'Published version 1.\n  all machines: a.yaml\nMachines apply it on the next call. Run `hookline fleet policy` to see which have it.',
  );
  expect(await said(0, 'publish', folder, '--group', 'web', '--observe')).toContain(
    'group web: a.yaml (observe mode)',
  );
  const ids = () => daemon.home.rules.inForce(null).rules.filter(({ layer }) => layer === 'fleet');
  await until(() => ids().length === 2);
  expect(ids().map(({ observing }) => observing)).toEqual([false, true]);
  await until(async () => /version 2 {2}seen/.test(await said(0, 'policy')));
  expect(await said(0, 'policy')).toMatch(
    /^version 2 {2}published .*\n {2}all machines: a.yaml\n {2}group web: a.yaml \(observe mode\)/,
  );

  expect(await said(0, 'rollback')).toContain('Published version 3, same rules as version 1.');
  await until(() => ids().length === 1);
  await said(0, 'rollout', '--percent', '0');
  await until(() => ids().length === 0);
  expect(JSON.parse(await said(0, 'policy', '--json'))).toMatchObject({
    trusts: true,
    inForce: { version: 4 },
  });
  expect(JSON.stringify(listEvents(daemon.home.db, {}))).toContain('maya published version 3');
});

test('a server that cannot be used is said, and nothing is kept', async () => {
  const server = await startServer('authorization {token: right}');
  const { paths } = await running();
  await expect(fleet.run(['join', server.url, '--token', 'wrong'])).rejects.toThrow(
    /Can't use .*: .*authorization/i,
  );
  expect(readIfExists(paths.fleet)).toBeNull();
  await server.kill();
  await expect(fleet.run(['join', server.url])).rejects.toThrow("Can't use nats:");
  expect(readIfExists(paths.fleet)).toBeNull();
  // With --offline it joins anyway.
  expect(await said(0, 'join', server.url, '--token', 'right', '--offline')).toContain('not connected');
});

test('an agent can neither join nor leave', async () => {
  const server = await startServer();
  const { paths } = await running(noPerson);
  await expect(fleet.run(['join', server.url])).rejects.toThrow('An agent asks.');
  expect(readIfExists(paths.fleet)).toBeNull();
  writeFileSync(paths.fleet, JSON.stringify(testSettings(server)));
  await expect(fleet.run(['leave'])).rejects.toThrow('An agent asks.');
  expect(readIfExists(paths.fleet)).not.toBeNull();
  for (const args of [
    ['publish', '.'],
    ['rollout', '--percent', '9'],
    ['rollback'],
    ['trust', 'x'],
    ['admin', 'init'],
  ])
    await expect(fleet.run(args), args.join(' ')).rejects.toThrow('An agent asks.');
  expect(readIfExists(join(paths.root, 'secrets', 'fleet-admin.pem'))).toBeNull();
});

test.each([
  [['join'], 'Missing server address.'],
  [['join', 'http://x'], 'http:// is not supported'],
  [['join', 'nats://a:b@127.0.0.1'], 'A password in the address'],
  [['join', 'nats://127.0.0.1', '--team', 'No Good'], 'is not a valid fleet name'],
  [['join', 'nats://127.0.0.1', '--replicas', '9'], '--replicas takes 1 to 5'],
  [['join', 'nats://127.0.0.1', '--creds', '/does/not/exist'], "Can't read /does/not/exist"],
  [['join', 'nats://127.0.0.1', '--creds', 'x', '--token', 'y'], 'not both'],
  [['join', 'nats://127.0.0.1', '--user', 'maya'], '--user needs a password'],
  [['join', 'nats://127.0.0.1', '--policy-key', 'x'], 'Invalid public key'],
  [['trust'], 'Missing key.'],
  [['trust', 'x'], 'Invalid public key'],
  [['admin', 'dance'], 'Unknown command "fleet admin dance". Use `admin init` or `admin streams`.'],
  [['rollback', '--group', 'web'], "--group can't be combined with rollback"],
  [['rollout', '--percent', '50', '--observe'], "--observe can't be combined with rollout"],
  [['publish', '.', '--to', '3'], "--to can't be combined with publish"],
  [['events', '--since', '1d'], '--since works with `fleet search`'],
  [['rollback', '3'], 'Unexpected argument "3"'],
  [['publish', '.'], 'not in a fleet'],
  [['policy'], 'not in a fleet'],
  [['dance'], 'Unknown subcommand "dance". Use one of join, leave, status, machines,'],
])('%j is refused', async (args, message) => {
  await running();
  await expect(fleet.run(args)).rejects.toThrow(message);
});

test('records of another team on the same server stay apart', async () => {
  const server = await startServer();
  await running();
  await said(0, 'join', server.url, '--team', 'one', '--with-history');
  await until(async () => JSON.parse(await said(0, 'status', '--json')).parts.audit.waiting === 0);
  const { jsm } = await openTestSession(testSettings(server));
  const streams = await jsm.streams.list().next();
  expect(streams.map(({ config }) => config.name)).toEqual([
    'KV_hookline-one-machines',
    'KV_hookline-one-policy',
    'hookline-one-audit',
  ]);
  expect(streams[2]?.config).toMatchObject({ discard: 'new', storage: 'file', num_replicas: 1 });
});

test('who may answer is said by a person', async () => {
  const { paths, daemon } = await running();
  const { publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const { id } = machineOf(publicKey, 'x');
  expect(await said(0, 'approvers')).toContain('No other machine can answer approvals here.');
  const [line = ''] = (
    await said(0, 'approvers', 'add', key, '--name', 'laptop', '--only-deny', '--json')
  ).split('\n');
  expect(JSON.parse(line)).toEqual({ machine: id, name: 'laptop', only: 'deny', addedBy: 'maya' });
  expect(statSync(paths.fleetApprovers).mode & 0o777).toBe(0o600);
  expect(await said(0, 'approvers', 'list')).toContain('laptop  may only deny');
  expect(await said(0, 'approvers', 'add', id, '--name', 'laptop')).toContain('laptop  may allow once');
  expect(await said(0, 'approvers', 'remove', 'laptop')).toContain(
    'No other machine can answer approvals here.',
  );
  await expect(fleet.run(['approvers', 'remove', 'laptop'])).rejects.toThrow('is not an approver');
  await expect(fleet.run(['approvers', 'add', 'tablet'])).rejects.toThrow('not connected to its fleet');
  const noted = JSON.stringify(listEvents(daemon.home.db, {}));
  expect(noted).toContain(`maya let the machine laptop (${id}) answer here: it may only deny`);
});

test('an agent cannot say who may answer', async () => {
  const { paths } = await running(noPerson);
  await expect(fleet.run(['approvers', 'add', 'a'.repeat(32)])).rejects.toThrow('An agent asks.');
  expect(readIfExists(paths.fleetApprovers)).toBeNull();
  expect(await said(0, 'approvers')).toContain('No other machine');
});
