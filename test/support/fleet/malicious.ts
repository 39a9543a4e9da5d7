import { generateKeyPairSync } from 'node:crypto';
import { machineOf } from '../../../src/fleet/machine.ts';
import { writeReport } from '../../../src/fleet/machines/report.ts';
import { ensureAuditStream } from '../../../src/fleet/record/audit-stream.ts';
import { rightsOf } from '../../../src/fleet/rights.ts';
import { openMachinesBucket, openPolicyBucket } from '../../../src/fleet/server/buckets.ts';
import { inboxOf, outboxConsumer, teamNames } from '../../../src/fleet/subjects.ts';
import { machineSigner } from '../../../src/store/chain/machine-key.ts';
import { scratchHome } from '../daemon/daemon.ts';
import { openTestSession, startServer, testSettings } from './nats.ts';

const names = teamNames('test');

/** A home with a key, that is a machine of the team. */
function someMachine(name: string) {
  const signer = machineSigner(scratchHome(), () => {});
  return { signer, machine: machineOf(signer.publicKey(), name) };
}

/** A team with a victim, and a client that has exactly the rights of one machine, and means harm. */
export async function startMalicious() {
  const victim = someMachine('victim');
  const attacker = someMachine('attacker');
  const { id } = attacker.machine;
  const rights = JSON.stringify(rightsOf('test', id, ['machine']));
  const server = await startServer(
    `authorization {users: [{user: admin, password: admin}, {user: bad, password: bad, permissions: ${rights}}]}`,
  );
  const settings = testSettings(server, { login: 'password', user: 'admin' });
  const admin = await openTestSession(settings, { login: 'admin', authority: null });
  await ensureAuditStream(admin, settings);
  const reports = await openMachinesBucket(admin, settings);
  const policies = await openPolicyBucket(admin, settings);
  await writeReport(reports, victim.machine, victim.signer, REPORT);
  await admin.js.publish(names.event(victim.machine.id, 'claude', 'stop'), 'a record of the victim');
  const session = await openTestSession(
    { ...settings, user: 'bad' },
    { login: 'bad', authority: null, inbox: inboxOf(id) },
  );
  const own = names.event(id, 'claude', 'stop');
  return { victim, attacker, admin, settings, policies, session, own, key: generateKeyPairSync('ed25519') };
}

const REPORT = {
  name: 'victim',
  groups: [],
  hookline: '1.0.0',
  at: '2026-11-18T10:00:00.000Z',
  policy: { trusts: false, version: null, refused: null },
};

type Malicious = Awaited<ReturnType<typeof startMalicious>>;

/** What the server answers to a request of the attacker; why not, where it does not. */
export async function tried({ session }: Malicious, subject: string, body: unknown = ''): Promise<string> {
  try {
    const answer = await session.nats.request(
      subject,
      typeof body === 'string' ? body : JSON.stringify(body),
      { timeout: 2_000 },
    );
    return answer.string();
  } catch (error) {
    return String(error);
  }
}

/** Publishes below the attacker's own subject, and has the server confirm it elsewhere. */
export async function confirmedAt({ session, own }: Malicious, reply: string): Promise<void> {
  session.nats.publish(own, 'x', { reply });
  await settled(session);
}

/** The server has done all that was sent before: it answers one after the other. */
async function settled({ nats }: Malicious['session']): Promise<void> {
  await nats.flush();
  await nats.request('$JS.API.INFO');
}

/** Has the server send to a subject of the attacker's choice. */
export async function pushedTo(malicious: Malicious, deliver: string, more: object = {}): Promise<string> {
  const { attacker, own } = malicious;
  const consumer = outboxConsumer(attacker.machine.id);
  await tried(malicious, `$JS.API.CONSUMER.DELETE.${names.auditStream}.${consumer}`);
  const config = {
    ...{ name: consumer, filter_subject: own, deliver_policy: 'all', ack_policy: 'none' },
    ...{ deliver_subject: deliver, replay_policy: 'instant', ...more },
  };
  const create = `$JS.API.CONSUMER.CREATE.${names.auditStream}.${consumer}.${own}`;
  return tried(malicious, create, { stream_name: names.auditStream, config });
}

/** Each stream, with how many messages it has. */
export async function streams({ admin }: Pick<Malicious, 'admin'>): Promise<Record<string, number>> {
  const list = await admin.jsm.streams.list().next();
  return Object.fromEntries(list.map(({ config, state }) => [config.name, state.messages]));
}
