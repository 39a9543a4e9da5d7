import { expect, vi } from 'vitest';
import { person, printed, useHome } from '../../../test/support/cli.ts';
import { scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { ensureAuditStream } from '../../fleet/record/audit-stream.ts';
import { openMachinesBucket, openPolicyBucket } from '../../fleet/server/buckets.ts';
import { teamNames } from '../../fleet/subjects.ts';
import fleet from './fleet.ts';

async function running() {
  const paths = scratchHome();
  useHome(paths);
  return startDaemon(paths, { access: person });
}

const said = async (code: number, ...args: string[]) => (await printed(fleet, args, code)).join('\n');

test('the rights that are printed are an entry of the server, with which the machine does its work', async () => {
  const daemon = await running();
  const entry = await said(0, 'rights', 'machine', '--team', 'test');
  const [, user = ''] = /user: "(.+)"/.exec(entry) ?? [];
  const [, password = ''] = /password: "(.+)"/.exec(entry) ?? [];
  expect(await said(0, 'rights', 'machine', '--team', 'test')).not.toContain(password);
  const server = await startServer(`authorization {users: [{user: admin, password: admin}\n${entry}\n]}`);
  const admin = testSettings(server, { login: 'password', user: 'admin' });
  const session = await openTestSession(admin, { login: 'admin', authority: null });
  await ensureAuditStream(session, admin);
  await openMachinesBucket(session, admin);
  await openPolicyBucket(session, admin);

  vi.stubEnv('HOOKLINE_FLEET_TOKEN', password);
  await said(0, 'join', server.url, '--team', 'test', '--user', user, '--with-history');
  const parts = () => {
    const status = daemon.fleet.status();
    return status.joined ? status.parts : {};
  };
  await until(() => parts().audit?.waiting === 0);
  expect(parts().audit).toMatchObject({ problem: null });
  await until(async () => (await session.jsm.streams.info('KV_hookline-test-machines')).state.messages > 0);
  // It can't read the others.
  await expect(fleet.run(['machines'])).rejects.toThrow(/permissions violation/i);
});

test('rights are also a command of nsc, and data', async () => {
  await running();
  const id = 'a'.repeat(32);
  expect(await said(0, 'rights', 'viewer', id, '--format', 'nsc')).toMatch(
    /^nsc add user --name viewer-aaaaaaaa --allow-pub '.+' --allow-sub '_INBOX\.a{32}\.>/,
  );
  expect(JSON.parse(await said(0, 'rights', 'machine,approver', id, '--json'))).toMatchObject({
    roles: ['machine', 'approver'],
    machine: id,
  });
  await expect(fleet.run(['rights', 'king'])).rejects.toThrow('Missing role.');
});

test('verify exits with 1 where a record can’t be verified', async () => {
  const server = await startServer();
  await running();
  await said(0, 'join', server.url, '--team', 'test', '--with-history');
  await until(async () => JSON.parse(await said(0, 'status', '--json')).parts.audit.waiting === 0);
  expect(await said(0, 'verify')).toContain('ok');
  const { js } = await openTestSession(testSettings(server));
  const other = 'a'.repeat(32);
  const claim = { kind: 'record', link: 1, hash: 'x', before: '', record: { id: 'a' }, leftOut: ['native'] };
  await js.publish(teamNames('test').event(other, 'claude', 'stop'), JSON.stringify(claim));
  expect(await said(1, 'verify')).toContain(
    "1 record can't be verified (link 1): sent without parts and without their hashes.",
  );
});
