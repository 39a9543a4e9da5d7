import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { scratchHome, until } from '../../../test/support/daemon/daemon.ts';
import {
  openTestSession,
  readStream,
  recordIds,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { freePort, runServer } from '../../../test/support/fleet/server.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { beforeTool, call } from '../../../test/support/store/store.ts';
import { type OpenHome, openHome } from '../../home/open.ts';
import type { HomePaths } from '../../home/paths.ts';
import { forget } from '../../store/forget.ts';
import { type Fleet, openFleet } from '../fleet.ts';
import { type FleetSettings, NO_SECRETS, writeFleetSettings } from '../settings.ts';
import { machineInSubject, teamNames } from '../subjects.ts';
import { openCursorFile } from './cursor.ts';
import { verifyMachine } from './verify.ts';

const STREAM = teamNames('test').auditStream;

function openedHome(paths: HomePaths): OpenHome {
  const home = openHome(paths);
  if (home === null) throw new Error('the home is taken');
  return home;
}

interface Member {
  readonly home: OpenHome;
  readonly fleet: Fleet;
  stop(): Promise<void>;
}

/** A home in a fleet, as a daemon opens it. */
function member(paths: HomePaths, settings: FleetSettings | null): Member {
  if (settings !== null) writeFleetSettings(paths, settings, NO_SECRETS);
  const home = openedHome(paths);
  const fleet = openFleet(home);
  let stopping: Promise<void> | null = null;
  const stop = () => {
    stopping ??= fleet.close().then(home.close);
    return stopping;
  };
  onTestFinished(stop);
  return { home, fleet, stop };
}

let made = 0;

/** Records calls, and returns their IDs in order. */
function record(
  { home }: Pick<Member, 'home'>,
  count: number,
  session = 's1',
  command = 'ls',
): readonly string[] {
  return Array.from({ length: count }, () => {
    made += 1;
    const event = { ...home.recorder.place(beforeTool(command, null, session)), id: `call-${made}` };
    home.recorder.commit(call(event));
    return event.id;
  });
}

function audit({ fleet }: Member): { readonly waiting: unknown; readonly problem: string | null } {
  const status = fleet.status();
  const part = status.joined ? status.parts.audit : undefined;
  return { waiting: part?.waiting, problem: part?.problem ?? null };
}

const allSent = (one: Member) => until(() => audit(one).waiting === 0);

test('every record is in the stream once, in order, with its place, and signatures follow', async () => {
  const settings = testSettings(await startServer());
  const one = member(scratchHome(), settings);
  const ids = record(one, 200);
  await allSent(one);
  const messages = await readStream(settings);
  expect(recordIds(messages)).toEqual(ids);
  const status = one.fleet.status();
  if (!status.joined) throw new Error('not joined');
  expect(status).toMatchObject({ connected: true, team: 'test', machine: { name: 'tester' }, problem: null });
  const machine = status.machine.id;
  expect(messages[0]?.subject).toBe(`hookline.test.audit.${machine}.event.claude.before_tool`);
  const signed = messages.flatMap(({ item }) => (item?.kind === 'checkpoint' ? [item.link] : []));
  expect(signed).toEqual([64, 128, 192]);
  await one.stop();
});

test('without a server calls are recorded, and sent once it is available', async () => {
  const server = await startServer();
  const settings = testSettings(server);
  await server.kill();
  const one = member(scratchHome(), settings);
  const ids = record(one, 30);
  await until(() => {
    const status = one.fleet.status();
    return status.joined && !status.connected && status.problem !== null;
  });
  await server.start();
  await allSent(one);
  expect(recordIds(await readStream(settings))).toEqual(ids);
});

test('repeated kills of the server during recording store each record once', async () => {
  const server = await startServer();
  const settings = testSettings(server);
  const one = member(scratchHome(), settings);
  const ids: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    ids.push(...record(one, 700));
    const before = Number(audit(one).waiting);
    await until(() => Number(audit(one).waiting) < before);
    await server.kill();
    ids.push(...record(one, 300));
    await server.start();
  }
  await until(() => audit(one).waiting === 0);
  const found = recordIds(await readStream(settings));
  expect(found).toHaveLength(3_000);
  expect([...found].sort()).toEqual([...ids].sort());
});

test('a daemon that ends midway continues where it was, even without its cursor', async () => {
  const server = await startServer();
  const settings = testSettings(server);
  const paths = scratchHome();
  const first = member(paths, settings);
  const ids = [...record(first, 600)];
  await until(() => Number(audit(first).waiting) < 500);
  await first.stop();
  await keepCursorAt(99, paths, settings);
  const second = member(paths, null);
  ids.push(...record(second, 100));
  await allSent(second);
  await second.stop();
  rmSync(paths.fleetCursor);
  const third = member(paths, null);
  ids.push(...record(third, 50));
  await allSent(third);
  expect(recordIds(await readStream(settings))).toEqual(ids);
});

/** As after a while: everything up to this record is settled. */
async function keepCursorAt(at: number, paths: HomePaths, settings: FleetSettings): Promise<void> {
  const { jsm } = await openTestSession(settings);
  const { created } = await jsm.streams.info(STREAM);
  const records = (await readStream(settings)).flatMap(({ item, ...one }) =>
    item?.kind === 'record' ? [{ ...one, ...item }] : [],
  );
  const { link, hash, sequence, subject } = records[at] ?? {};
  if (link === undefined || !hash || !sequence) throw new Error('no record there');
  const cursor = { stream: `${STREAM} ${created}`, machine: machineInSubject(subject ?? ''), link, hash };
  openCursorFile(paths.fleetCursor, () => {}).write({ ...cursor, checkpoint: 0, sequence });
}

test('sends records again that a server confirmed and lost', async () => {
  const read = async () => recordIds(await readStream(settings));
  const folder = scratchFolder();
  const server = await runServer({ folder, name: 'one', port: await freePort(), config: '' });
  onTestFinished(server.kill);
  const settings = testSettings(server);
  const one = member(scratchHome(), settings);
  const ids = [...record(one, 50)];
  await allSent(one);
  await server.kill();
  const copy = scratchFolder();
  cpSync(folder, copy, { recursive: true });
  await server.start();
  ids.push(...record(one, 50));
  await allSent(one);
  expect(await read()).toEqual(ids);
  await server.kill();
  rmSync(join(folder, 'jetstream'), { recursive: true });
  cpSync(copy, folder, { recursive: true });
  await server.start();
  expect(await read()).toEqual(ids.slice(0, 50));
  await until(async () => (await read()).length >= ids.length);
  expect(await read()).toEqual(ids);
});

test('stores nothing twice, even after the server has forgotten the IDs', async () => {
  const server = await startServer();
  const settings = testSettings(server);
  const paths = scratchHome();
  const first = member(paths, settings);
  const ids = [...record(first, 40)];
  await allSent(first);
  await first.stop();
  // As after days: the server has forgotten the IDs, and the cursor is old.
  const { jsm } = await openTestSession(settings);
  await jsm.streams.update(STREAM, { duplicate_window: 100_000_000 });
  await server.kill();
  await server.start();
  const second = member(paths, null);
  ids.push(...record(second, 10));
  await allSent(second);
  expect(recordIds(await readStream(settings))).toEqual(ids);
});

test("another machine that uses a record's ID doesn't keep the record out of the stream", async () => {
  const server = await startServer();
  const settings = testSettings(server);
  const { js, jsm } = await openTestSession(settings);
  const one = member(scratchHome(), settings);
  const ids = [...record(one, 3)];
  await allSent(one);
  await js.publish('hookline.test.audit.other.event.a.b', '{}', { msgID: `call-${made + 1}` });
  ids.push(...record(one, 1));
  await until(() => /unexpected message with this ID/.test(audit(one).problem ?? ''));
  expect(audit(one).waiting).toBe(1);
  // After a while the server forgets the ids that it has seen.
  await jsm.streams.update(STREAM, { duplicate_window: 100_000_000 });
  await server.kill();
  await server.start();
  await allSent(one);
  expect(recordIds(await readStream(settings))).toEqual(ids);
});

test('a full stream rejects records, and nothing is lost once there is room', async () => {
  const server = await startServer();
  const settings = testSettings(server);
  const { jsm } = await openTestSession(settings);
  const one = member(scratchHome(), settings);
  const ids = [...record(one, 5)];
  await allSent(one);
  await jsm.streams.update(STREAM, { max_bytes: 20_000 });
  ids.push(...record(one, 60));
  await until(() => audit(one).problem === 'maximum bytes exceeded');
  expect(Number(audit(one).waiting)).toBeGreaterThan(0);
  await jsm.streams.update(STREAM, { max_bytes: -1 });
  await allSent(one);
  expect([...recordIds(await readStream(settings))].sort()).toEqual([...ids].sort());
});

test("doesn't send records forgotten before, and signs the gap", async () => {
  const server = await startServer();
  const settings = testSettings(server);
  const paths = scratchHome();
  const home = member(paths, null);
  const ids = [...record(home, 3)];
  record(home, 2, 'secret', 'cat diary');
  ids.push(...record(home, 3));
  forget(home.home.db, { session: 'secret' }, home.home.signer);
  await home.stop();
  const one = member(paths, settings);
  await allSent(one);
  const messages = await readStream(settings);
  expect(recordIds(messages)).toEqual(ids);
  expect(JSON.stringify(messages)).not.toContain('diary');
  expect(messages.flatMap(({ item }) => (item?.kind === 'gap' ? [[item.first, item.last]] : []))).toEqual([
    [4, 5],
  ]);
});

test('records from before the machine joined stay on it', async () => {
  const server = await startServer();
  const settings = testSettings(server, { after: 4 });
  const one = member(scratchHome(), settings);
  const ids = record(one, 10);
  await allSent(one);
  expect(recordIds(await readStream(settings))).toEqual(ids.slice(4));
});

test('records between leaving and joining again stay on the machine, with a signed gap', async () => {
  const settings = testSettings(await startServer());
  const paths = scratchHome();
  const one = member(paths, settings);
  const before = [...record(one, 50)];
  await allSent(one);
  await one.stop();
  const alone = openedHome(paths);
  record({ home: alone }, 30);
  alone.close();
  for (const knows of [false, true]) {
    if (knows) await keepCursorAt(100, paths, settings);
    const again = member(paths, { ...settings, after: 80 });
    const ids = record(again, 70);
    before.push(...ids);
    await allSent(again);
    await again.stop();
  }
  const messages = await readStream(settings);
  expect(recordIds(messages)).toEqual(before);
  const items = messages.flatMap(({ item }) => item ?? []);
  expect(items.filter(({ kind }) => kind === 'gap')).toMatchObject([{ first: 51, last: 80, reason: 'kept' }]);
  const machine = messages[0]?.subject.split('.')[3] ?? '';
  const report = verifyMachine(machine, items);
  expect(report).toMatchObject({ records: 190, kept: 30, deleted: 0, signedTo: 192, problems: [] });
});

test("sends a record larger than the server's limit without its largest parts", async () => {
  const server = await startServer('max_payload: 16384');
  const settings = testSettings(server);
  const one = member(scratchHome(), settings);
  const noise = Array.from({ length: 4_000 }, (_, at) => Math.sin(at).toString(36).slice(3)).join(' ');
  const ids = [...record(one, 1, 's1', noise), ...record(one, 1)];
  await allSent(one);
  const messages = await readStream(settings);
  expect(recordIds(messages)).toEqual(ids);
  expect(messages[0]?.item?.leftOut.length).toBeGreaterThan(0);
  expect(messages[1]?.item?.leftOut).toEqual([]);
});

test('reports wrong credentials, and loses nothing', async () => {
  const server = await startServer('authorization {token: right}');
  const settings = testSettings(server, { login: 'token' });
  const paths = scratchHome();
  writeFleetSettings(paths, settings, { login: 'wrong', authority: null });
  const one = member(paths, null);
  const ids = record(one, 5);
  await until(() => {
    const status = one.fleet.status();
    return status.joined && /authorization/i.test(status.problem ?? '');
  });
  writeFleetSettings(paths, settings, { login: 'right', authority: null });
  await one.fleet.reload();
  await allSent(one);
  const { jsm } = await openTestSession(settings, { login: 'right', authority: null });
  expect((await jsm.streams.info(STREAM)).state.messages).toBe(ids.length);
});
