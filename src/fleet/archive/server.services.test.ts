import { expect, onTestFinished } from 'vitest';
import { until } from '../../../test/support/daemon/daemon.ts';
import { testMachine } from '../../../test/support/fleet/archived-machine.ts';
import { openTestSession, startServer, testSettings } from '../../../test/support/fleet/nats.ts';
import { freshDatabase, PASSWORD, testWithPostgres as test } from '../../../test/support/fleet/postgres.ts';
import { forget } from '../../store/forget.ts';
import { auditItemsOf } from '../record/read-stream.ts';
import { verifyMachine } from '../record/verify.ts';
import { rightsOf } from '../rights.ts';
import { type FleetSettings, NO_SECRETS } from '../settings.ts';
import { inboxOf, teamNames } from '../subjects.ts';
import type { DatabaseAddress } from './address.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { archivedItems, machinesInArchive } from './read-items.ts';
import { type ArchiveServer, openArchiveServer } from './server.ts';

interface Served {
  readonly server: ArchiveServer;
  readonly said: readonly string[];
}

async function serve(
  settings: FleetSettings,
  address: DatabaseAddress,
  more: Partial<Parameters<typeof openArchiveServer>[0]> = {},
): Promise<Served> {
  const said: string[] = [];
  const log = (_: string, message: string) => void said.push(message);
  const server = await openArchiveServer({ settings, secrets: NO_SECRETS, address, log, ...more });
  onTestFinished(() => server.close());
  return { server, said };
}

const countOf = async (db: Postgres, table = 'events') =>
  Number((await db.query(`SELECT count(*) AS n FROM hookline.${table}`))[0]?.n);
/** Uses a new connection, because the previous one is gone. */
async function briefly<T>(address: DatabaseAddress, work: (db: Postgres) => Promise<T>): Promise<T> {
  const db = await openPostgres(address);
  return work(db).finally(db.close);
}
const idsIn = async (db: Postgres) =>
  (await db.query('SELECT id FROM hookline.events ORDER BY machine, link')).map(({ id }) => String(id));

test('stores once what every machine sends, and verifies it like the stream', async () => {
  const settings = testSettings(await startServer());
  const { address, open } = await freshDatabase();
  const [one, two] = [testMachine(), testMachine()];
  const ids = [...one.record(150)];
  one.record(2, 'secret', 'cat diary');
  forget(one.home.db, { session: 'secret' }, one.home.signer);
  ids.push(...one.record(3));
  const others = two.record(70);
  const fleets = [one.join(settings), two.join(settings)];
  const { server, said } = await serve(settings, address);
  for (const fleet of fleets) await fleet.allSent();
  const db = await open();
  await until(async () => (await countOf(db)) === ids.length + others.length);
  await until(async () => (await countOf(db, 'chain_gaps')) === 1);
  expect((await idsIn(db)).sort()).toEqual([...ids, ...others].sort());
  // At 64 and 128 on one machine, 64 on the other.
  await until(async () => (await countOf(db, 'chain_checkpoints')) === 3);
  await until(async () => (await countOf(db, 'machines')) === 2);
  await until(
    async () => (await db.query("SELECT 1 FROM hookline.machines WHERE name = 'tester'")).length === 2,
  );
  expect(server.stored()).toEqual({ records: ids.length + others.length, refused: 0 });
  expect(await machinesInArchive(db)).toEqual([one.id, two.id].sort());
  const session = await openTestSession(settings);
  for (const { id } of [one, two]) {
    const report = verifyMachine(id, await archivedItems(db, id));
    expect(report).toEqual(verifyMachine(id, await auditItemsOf(session, teamNames('test'), id)));
    expect(report.problems).toEqual([]);
    expect(report.signedTo).toBeGreaterThan(0);
  }
  // Detects changes made in the database.
  await db.query("UPDATE hookline.events SET decision = 'allow' WHERE id = $1", [ids[5]]);
  expect(verifyMachine(one.id, await archivedItems(db, one.id)).problems).toHaveLength(1);
  expect(said).toEqual([]);
});

test('verifies a record without its largest parts from the database too', async () => {
  const settings = testSettings(await startServer('max_payload: 16384'));
  const { address, open } = await freshDatabase();
  const { server } = await serve(settings, address);
  const machine = testMachine();
  const noise = Array.from({ length: 4_000 }, (_, at) => Math.sin(at).toString(36).slice(3)).join(' ');
  const [large] = machine.record(1, 's1', noise);
  machine.record(1);
  await machine.join(settings).allSent();
  await until(() => server.stored().records === 2);
  const db = await open();
  const check = async () => verifyMachine(machine.id, await archivedItems(db, machine.id));
  expect(await check()).toMatchObject({ abridged: 1, unverifiable: [], problems: [] });
  await db.query("UPDATE hookline.events SET parts = '{}' WHERE id = $1", [large]);
  expect(await check()).toMatchObject({ abridged: 0, unverifiable: [1], problems: [] });
  await db.query("UPDATE hookline.events SET left_out = '[]' WHERE id = $1", [large]);
  expect(await check()).toMatchObject({ unverifiable: [], problems: [{ link: 1 }] });
});

test('repeated kills of PostgreSQL and the server lose nothing and store nothing twice', async () => {
  const nats = await startServer();
  const settings = testSettings(nats);
  const { address, kill, start } = await freshDatabase();
  const machine = testMachine();
  const fleet = machine.join(settings);
  const { said } = await serve(settings, address, { ackMs: 2_000 });
  const ids: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    ids.push(...machine.record(400));
    await until(async () => (await briefly(address, countOf)) > round * 800);
    await kill();
    ids.push(...machine.record(400));
    await nats.kill();
    await nats.start();
    await start();
  }
  await fleet.allSent();
  await until(async () => (await briefly(address, countOf)) >= ids.length);
  expect(await briefly(address, idsIn)).toEqual(ids);
  expect(said.join('\n')).toMatch(/Waiting for the database: .*\n(?:.*\n)*The database is back\./);
  expect(said.join('\n')).not.toContain(PASSWORD);
});

test('a server that ends between storing and acknowledging stores nothing twice', async () => {
  const settings = testSettings(await startServer());
  const { address, open } = await freshDatabase();
  const machine = testMachine();
  const ids = machine.record(50);
  await machine.join(settings).allSent();
  let ended = 0;
  const stored = () => {
    ended += 1;
    throw new Error('killed here');
  };
  const first = await serve(settings, address, { stored, ackMs: 1_000 });
  await until(() => ended > 0);
  await first.server.close();
  const db = await open();
  expect(await idsIn(db)).toEqual(ids);
  const session = await openTestSession(settings);
  const consumers = await session.jsm.consumers.list('hookline-test-audit').next();
  const [consumer] = consumers.filter(({ name }) => name.startsWith('archive-'));
  expect(consumer).toMatchObject({ ack_floor: { stream_seq: 0 } });
  const second = await serve(settings, address);
  const pending = async () => {
    const info = await session.jsm.consumers.info('hookline-test-audit', consumer?.name ?? '');
    return info.num_pending + info.num_ack_pending;
  };
  await until(async () => (await pending()) === 0);
  expect(await idsIn(db)).toEqual(ids);
  expect(second.server.stored()).toEqual({ records: 0, refused: 0 });
});

test('two servers share the work', async () => {
  const settings = testSettings(await startServer());
  const { address, open } = await freshDatabase();
  const machine = testMachine();
  const fleet = machine.join(settings);
  const servers = await Promise.all([serve(settings, address), serve(settings, address)]);
  const ids = machine.record(900);
  await fleet.allSent();
  const db = await open();
  await until(async () => (await countOf(db)) >= ids.length);
  expect(await idsIn(db)).toEqual(ids);
  await until(() => servers.reduce((sum, { server }) => sum + server.stored().records, 0) === ids.length);
  expect(servers.flatMap(({ said }) => said)).toEqual([]);
});

test('a database restored from an older copy gets the missing records', async () => {
  const settings = testSettings(await startServer());
  const { address, open } = await freshDatabase();
  const machine = testMachine();
  const ids = [...machine.record(300)];
  const fleet = machine.join(settings);
  await fleet.allSent();
  const first = await serve(settings, address);
  const db = await open();
  const floor = async () => Number((await db.query('SELECT max(floor) AS n FROM hookline.streams'))[0]?.n);
  await until(async () => (await countOf(db)) === 300 && (await floor()) >= 300);
  await first.server.close();
  // Its state after 100 of them.
  await db.query('DELETE FROM hookline.events WHERE link > 100');
  await db.query('UPDATE hookline.streams SET floor = 100');
  ids.push(...machine.record(5));
  await fleet.allSent();
  const second = await serve(settings, address);
  await until(async () => (await countOf(db)) === ids.length);
  expect(await idsIn(db)).toEqual(ids);
  expect(second.server.stored().records).toBe(205);
});

test('reports an unusable database at startup, without its password', async () => {
  const settings = testSettings({ url: 'nats://127.0.0.1:1' });
  const { address } = await freshDatabase();
  const failed = (more: Partial<DatabaseAddress>) =>
    serve(settings, { ...address, ...more }).then(
      () => null,
      (error: unknown) => error,
    );
  const wrong = `not ${PASSWORD}`;
  const refused = await failed({ password: wrong });
  expect(refused).toMatchObject({
    code: 'DATABASE_UNREACHABLE',
    message: expect.stringContaining('password authentication failed'),
    hint: expect.stringContaining('HOOKLINE_FLEET_DATABASE'),
  });
  expect(JSON.stringify(refused)).not.toContain(PASSWORD);
  expect(await failed({ database: 'nowhere' })).toMatchObject({ hint: expect.stringContaining('createdb') });
  expect(await failed({ port: 1 })).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
  expect(await failed({ tls: { authority: null } })).toMatchObject({ hint: expect.stringContaining('TLS') });
  // It already holds one team's history.
  await (await serve(settings, address)).server.close();
  const other = { ...settings, team: 'another' };
  await expect(serve(other, address)).rejects.toThrow('belongs to the fleet test, not to another');
});

const SERVER = '0'.repeat(32);

test('works with only the documented rights', async () => {
  const rights = JSON.stringify(rightsOf('test', SERVER, ['server']));
  const nats = await startServer(
    `authorization {users: [{user: machine, password: one}, {user: server, password: two, permissions: ${rights}}]}`,
  );
  const settings = testSettings(nats, { login: 'password', user: 'machine' });
  const { address, open } = await freshDatabase();
  const machine = testMachine();
  machine.record(3);
  await machine.join(settings, 'one').allSent();
  const secrets = { login: 'two', authority: null, inbox: inboxOf(SERVER) };
  const { said } = await serve({ ...settings, user: 'server' }, address, { secrets });
  const db = await open();
  await until(async () => (await countOf(db)) === 3);
  await until(
    async () => (await db.query("SELECT 1 FROM hookline.machines WHERE name = 'tester'")).length === 1,
  );
  const floor = async () => Number((await db.query('SELECT max(floor) AS n FROM hookline.streams'))[0]?.n);
  // Proves that it may acknowledge.
  await until(async () => (await floor()) >= 3);
  expect(said).toEqual([]);
});
