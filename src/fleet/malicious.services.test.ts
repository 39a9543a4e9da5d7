import { expect } from 'vitest';
import { until } from '../../test/support/daemon/daemon.ts';
import { confirmedAt, pushedTo, startMalicious, streams, tried } from '../../test/support/fleet/malicious.ts';
import { testWithServer as test } from '../../test/support/fleet/nats.ts';
import { testAdmin, testMachine } from '../../test/support/fleet/policy.ts';
import { ALL, openMessenger } from './approvals/messenger.ts';
import { signMessage } from './approvals/signed-message.ts';
import { readMachines } from './machines/follow-machines.ts';
import { publicKeyText } from './policy/keys.ts';
import { publishPolicy } from './policy/publish.ts';
import { signedBefore } from './policy/signed-policy.ts';
import { auditItemsOf } from './record/read-stream.ts';
import { verifyMachine } from './record/verify.ts';
import { loadNats } from './server/nats.ts';
import { streamUsage } from './server/stream-usage.ts';
import { outboxConsumer, teamNames } from './subjects.ts';

const names = teamNames('test');
const { auditStream, machinesBucket, policyBucket } = names;
const STREAMS = [auditStream, `KV_${machinesBucket}`, `KV_${policyBucket}`];

test('reads no data of other machines', async () => {
  const bad = await startMalicious();
  const { victim, attacker, own } = bad;
  const refused = /permissions violation/i;
  for (const stream of STREAMS) {
    expect(await tried(bad, `$JS.API.STREAM.MSG.GET.${stream}`, { seq: 1 })).toMatch(refused);
    expect(await tried(bad, `$JS.API.CONSUMER.CREATE.${stream}`, { stream_name: stream })).toMatch(refused);
    expect(await tried(bad, `$JS.API.STREAM.SNAPSHOT.${stream}`)).toMatch(refused);
  }
  const report = `$KV.${machinesBucket}.${victim.machine.id}`;
  expect(await tried(bad, `$JS.API.DIRECT.GET.KV_${machinesBucket}.${report}`)).toMatch(refused);
  // Uses the one consumer that it may create: the filter in the body differs from that in the subject.
  const consumer = outboxConsumer(attacker.machine.id);
  for (const filter_subject of [names.audit, names.auditOf(victim.machine.id), undefined]) {
    const config = { name: consumer, filter_subject, deliver_policy: 'all', ack_policy: 'none' };
    const create = `$JS.API.CONSUMER.CREATE.${auditStream}.${consumer}.${own}`;
    expect(await tried(bad, create, { stream_name: auditStream, config })).toMatch(/did not match/);
  }
  for (const subject of [names.audit, names.approval('*', '*', victim.machine.id), '_INBOX.>', '$KV.>']) {
    const { nats } = bad.session;
    const heard = new Promise((resolve) => nats.subscribe(subject, { callback: resolve }));
    expect(String(await heard)).toMatch(refused);
  }
});

test('sees the machine IDs and message counts, and nothing else', async () => {
  const bad = await startMalicious();
  const told = await tried(bad, `$JS.API.STREAM.INFO.${auditStream}`, { subjects_filter: '>' });
  expect(JSON.parse(told).state.subjects).toEqual({
    [names.event(bad.victim.machine.id, 'claude', 'stop')]: 1,
  });
});

test('deletes no stream and no message', async () => {
  const bad = await startMalicious();
  const { session, own } = bad;
  const before = await streams(bad);
  for (const stream of STREAMS)
    for (const act of ['DELETE', 'PURGE', 'UPDATE', 'MSG.DELETE'])
      expect(await tried(bad, `$JS.API.STREAM.${act}.${stream}`)).toMatch(/permissions violation/i);
  const { headers } = (await loadNats()).transport;
  for (const scope of ['all', 'sub']) {
    const rollup = headers();
    rollup.set('Nats-Rollup', scope);
    await expect(session.js.publish(own, 'x', { headers: rollup })).rejects.toThrow('rollup not permitted');
    const report = `$KV.${machinesBucket}.${bad.attacker.machine.id}`;
    await expect(session.js.publish(report, 'x', { headers: rollup })).rejects.toThrow(
      'rollup not permitted',
    );
  }
  expect(await streams(bad)).toEqual(before);
});

test("redirecting a server's confirmation to an API deletes nothing", async () => {
  const bad = await startMalicious();
  const before = await streams(bad);
  let sent = 0;
  for (const stream of STREAMS)
    for (const act of [
      'STREAM.DELETE',
      'STREAM.PURGE',
      'STREAM.UPDATE',
      'STREAM.MSG.DELETE',
      'STREAM.LEADER.STEPDOWN',
    ]) {
      await confirmedAt(bad, `$JS.API.${act}.${stream}`);
      sent += 1;
    }
  await confirmedAt(bad, `$JS.API.CONSUMER.DELETE.${auditStream}.${outboxConsumer(bad.victim.machine.id)}`);
  expect(await streams(bad)).toEqual({ ...before, [auditStream]: (before[auditStream] ?? 0) + sent + 1 });
});

test("can't request messages, because the reply that there are none would delete a stream", async () => {
  const bad = await startMalicious();
  const consumer = outboxConsumer(bad.attacker.machine.id);
  await pushedTo(bad, '_INBOX.nowhere');
  for (const stream of [auditStream, `KV_${policyBucket}`]) {
    const asked = await tried(bad, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, {
      batch: 1,
      no_wait: true,
    });
    expect(asked).toMatch(/permissions violation/i);
  }
  expect(Object.keys(await streams(bad)).sort()).toEqual([...STREAMS].sort());
});

test('messages that the server sends on its own reach no API, no stream and no other machine', async () => {
  const bad = await startMalicious();
  const { admin, victim, session, own } = bad;
  await session.js.publish(own, 'content of its choice');
  const before = await streams(bad);
  const heard: unknown[] = [];
  admin.nats.subscribe('hookline.test.approvals.>', { callback: (_, message) => void heard.push(message) });
  await admin.nats.flush();
  // The last target is its own: a heartbeat there means that the others would have had one too.
  const beats = session.nats.subscribe(`_INBOX.${bad.attacker.machine.id}.beat`);
  for (const deliver of [
    ...STREAMS.map((stream) => `$JS.API.STREAM.DELETE.${stream}`),
    `$KV.${machinesBucket}.${victim.machine.id}`,
    names.event(victim.machine.id, 'claude', 'stop'),
    names.approval(victim.machine.id, 'answer', victim.machine.id),
  ]) {
    expect(await pushedTo(bad, deliver, { idle_heartbeat: 1e8 })).not.toMatch(/violation/i);
    const filter = `$KV.${policyBucket}.current`;
    const config = {
      ...{ name: 'clock', filter_subject: filter, deliver_policy: 'new', ack_policy: 'none' },
      ...{ deliver_subject: beats.getSubject(), idle_heartbeat: 1e8, replay_policy: 'instant' },
    };
    const stream_name = `KV_${policyBucket}`;
    await tried(bad, `$JS.API.CONSUMER.CREATE.${stream_name}.clock.${filter}`, { stream_name, config });
    const so = beats.getReceived();
    await until(() => beats.getReceived() > so + 2);
  }
  expect(await streams(bad)).toEqual(before);
  expect(heard).toEqual([]);
});

test('a report that it makes the server overwrite is still known, and the view says so', async () => {
  const bad = await startMalicious();
  const { id } = bad.victim.machine;
  await confirmedAt(bad, `$KV.${machinesBucket}.${id}`);
  const machines = await readMachines(bad.admin, names);
  expect(machines.list()).toMatchObject([{ id, name: 'victim' }]);
  expect(machines.overwritten()).toEqual([id]);
  // It can push out the existing report, but the machine is still named.
  for (let times = 0; times < 10; times += 1) await confirmedAt(bad, `$KV.${machinesBucket}.${id}`);
  const later = await readMachines(bad.admin, names);
  expect(later.list()).toEqual([]);
  expect(later.overwritten()).toEqual([id]);
});

test('a policy that it makes the server overwrite still applies, however often it does so', async () => {
  const bad = await startMalicious();
  const { policies: bucket, key } = bad;
  const change = () => ({ restores: null, sets: [] });
  const publish = () =>
    publishPolicy({ bucket, key: key.privateKey, team: 'test', after: 0, newest: null, change });
  await publish();
  for (let times = 0; times < 100; times += 1) await confirmedAt(bad, `$KV.${policyBucket}.current`);
  const last = await bucket.get('current');
  if (last === null) throw new Error('the policy is gone');
  expect(last.string()).toContain(auditStream);
  const settings = { ...bad.settings, policyKey: publicKeyText(key.privateKey) };
  expect(await signedBefore(bad.session, last, { settings, names })).toContain('"version":1');
  // The administrator can still publish.
  expect((await publish()).version).toBe(2);
});

test("confirmations written to another machine's stream don't count as records or gaps", async () => {
  const bad = await startMalicious();
  const { id } = bad.victim.machine;
  await confirmedAt(bad, names.chain(id, 'gap'));
  await confirmedAt(bad, names.event(id, 'claude', 'stop'));
  const items = await auditItemsOf(bad.admin, names, id);
  expect(verifyMachine(id, items).problems).toEqual([]);
});

test("counts a flood under the sender's name", async () => {
  const bad = await startMalicious();
  const { session, own, attacker } = bad;
  await Promise.all(Array.from({ length: 200 }, () => session.js.publish(own, 'x'.repeat(1_000))));
  const [first] = (await streamUsage(bad.admin, names)).machines;
  expect(first).toEqual({ machine: attacker.machine.id, messages: 200 });
});

test("doesn't verify an unlimited flood to all machines; they stop listening and report it", async () => {
  const { admin, victim, attacker, session } = await startMalicious();
  const subject = names.approval(attacker.machine.id, 'who', ALL);
  const message = signMessage(attacker.signer, subject, {});
  const heard: string[] = [];
  const flooding = new Promise((flooded) => {
    const failed = expect.unreachable;
    const { listen } = openMessenger(admin, { ...victim, names, failed, flooded });
    listen('who', ALL, (from) => heard.push(from));
  });
  await admin.nats.flush();
  for (let sent = 0; sent < 10_000; sent += 1) session.nats.publish(subject, message);
  expect(await flooding).toBe(attacker.machine.id);
  expect(heard.length).toBeLessThan(3_000);
  const before = heard.length;
  session.nats.publish(subject, message);
  await session.nats.flush();
  await admin.nats.flush();
  expect(heard).toHaveLength(before);
});

test("repeatedly overwriting the policy raises an alert and doesn't slow down the machines", async () => {
  const bad = await startMalicious();
  const secrets = { login: 'admin', authority: null };
  const admin = await testAdmin(bad.settings, bad.key.privateKey, secrets);
  const { policy, alerts } = testMachine({ ...bad.settings, policyKey: admin.policyKey }, undefined, secrets);
  await admin.publish();
  await until(() => policy()?.version === 1);
  for (let times = 0; times < 2_000; times += 1)
    bad.session.nats.publish(bad.own, 'x', { reply: `$KV.${policyBucket}.current` });
  // An administrator can't publish until the flood ends, because another value comes first.
  await until(async () => (await streams(bad))[`KV_${policyBucket}`] === 2_001);
  await until(() => alerts().length === 1);
  await admin.publish();
  await until(() => policy()?.version === 2);
  expect(alerts()).toEqual([]);
  // Its reports: at startup, and on each change.
  const { state } = await bad.admin.jsm.streams.info(`KV_${machinesBucket}`);
  expect(state.last_seq).toBeLessThan(15);
});
