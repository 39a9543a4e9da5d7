import { expect } from 'vitest';
import { scratchHome, until } from '../../../test/support/daemon/daemon.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { testMachine } from '../../../test/support/fleet/policy.ts';
import { machineSigner } from '../../store/chain/machine-key.ts';
import { machineOf } from '../machine.ts';
import { openMachinesBucket } from '../server/buckets.ts';
import { teamNames } from '../subjects.ts';
import { createKnownMachines, followMachines, readMachines } from './follow-machines.ts';
import { type MachineReport, readReport, writeReport } from './report.ts';
import { isLate } from './report-age.ts';

const names = teamNames('test');
const OLD: MachineReport = {
  name: 'desk',
  groups: [],
  hookline: '0.1.0',
  at: new Date().toISOString(),
  policy: { trusts: false, version: null, refused: null },
};

/** A bucket, and machines that send whatever they like. */
async function bucketOf() {
  const settings = testSettings(await startServer());
  const session = await openTestSession(settings);
  const bucket = await openMachinesBucket(session, settings);
  const stranger = () => {
    const signer = machineSigner(scratchHome(), () => {});
    const machine = machineOf(signer.publicKey(), 'stranger');
    const says = (more: Partial<MachineReport> = {}) =>
      writeReport(bucket, machine, signer, { ...OLD, ...more });
    return { id: machine.id, says };
  };
  const read = () => readMachines(session, names);
  return { settings, session, bucket, stranger, read };
}

test('a machine reports its guarded agents and the records still to be sent', async () => {
  const { settings, read } = await bucketOf();
  testMachine({ ...settings, name: 'laptop' });
  await until(async () => (await read()).list().length === 1);
  const [laptop] = (await read()).list();
  expect(laptop).toMatchObject({ name: 'laptop', agents: expect.any(Array), waiting: 0 });
});

test.each([
  ['an hour behind', -3_600_000],
  ['an hour ahead', 3_600_000],
])('a machine whose clock is %s is online while it reports', async (_, off) => {
  const { session, stranger } = await bucketOf();
  const { says } = stranger();
  await says({ at: new Date(Date.now() + off).toISOString() });
  const seen = (await readMachines(session, names)).list();
  const followed = createKnownMachines();
  const end = new AbortController();
  const following = followMachines(session, names, followed, end.signal);
  await until(() => followed.list().length === 1);
  end.abort();
  await following;
  const now = Date.now();
  for (const one of [...seen, ...followed.list()]) {
    expect(isLate(one, now)).toBe(false);
    expect(isLate(one, now + 4 * 60_000)).toBe(true);
  }
});

test('a report of an older version still counts', async () => {
  const { stranger, read } = await bucketOf();
  const { id, says } = stranger();
  await says();
  const [machine] = (await read()).list();
  expect(machine).toMatchObject({ id, name: 'desk' });
  expect(machine).not.toHaveProperty('agents');
});

test("makes a machine's texts safe to show and leaves out huge or odd values", async () => {
  const { stranger, read } = await bucketOf();
  const evil = '\x1b[2J\nroot <script>';
  const agent = { id: evil, installed: true, version: evil, setUp: true, problems: [evil] };
  await stranger().says({ name: evil, groups: [evil], hookline: evil, agents: [agent] });
  await stranger().says({ name: 'x'.repeat(40_000) });
  await stranger().says({ at: 'tomorrow' });
  await stranger().says({ waiting: -1 });
  const machines = (await read()).list();
  expect(machines).toHaveLength(1);
  expect(JSON.stringify(machines)).not.toMatch(/\\u001b|\\n/);
  expect(machines[0]?.name).toBe('␛[2J root <script>');
});

test('follows reports; an unsigned or older one changes nothing', async () => {
  const { session, bucket, stranger } = await bucketOf();
  const { id, says } = stranger();
  const machines = createKnownMachines();
  const end = new AbortController();
  const following = followMachines(session, names, machines, end.signal);
  const nameIs = (name: string) => until(() => machines.list()[0]?.name === name);
  await says({ name: 'first' });
  await nameIs('first');
  const early = (await bucket.get(id))?.value ?? new Uint8Array();
  await says({ name: 'second', at: new Date(Date.now() + 1_000).toISOString() });
  await nameIs('second');
  const forged = new TextDecoder().decode(early).replace('first', 'other');
  expect(readReport(id, Buffer.from(forged))).toBeNull();
  await bucket.put(id, forged);
  await bucket.put(id, early);
  const other = stranger();
  await other.says({ name: 'second' });
  await until(() => machines.list().length === 2);
  expect(machines.list().map(({ name }) => name)).toEqual(['second', 'second']);
  // Machines with the same name are distinguished by ID.
  expect(machines.nameOf(id)).toBe(`second (${id.slice(0, 8)})`);
  await bucket.delete(other.id);
  await until(() => machines.list().length === 1);
  expect([machines.nameOf(id), machines.nameOf(other.id)]).toEqual(['second', other.id.slice(0, 8)]);
  end.abort();
  await following;
});
