import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { until } from '../../../test/support/daemon/daemon.ts';
import { testMachine } from '../../../test/support/fleet/archived-machine.ts';
import { openTestSession, startServer, testSettings } from '../../../test/support/fleet/nats.ts';
import { freshDatabase, testWithPostgres as test } from '../../../test/support/fleet/postgres.ts';
import { hashRecord } from '../../store/chain/record-hash.ts';
import { EVENT_COLUMNS } from '../../store/read/event-columns.ts';
import type { AuditMessage } from '../record/message.ts';
import { loadNats } from '../server/nats.ts';
import { NO_SECRETS } from '../settings.ts';
import { openArchiveServer } from './server.ts';

interface Body {
  readonly link: number;
  readonly before: string;
  readonly record: Record<string, unknown>;
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** A message with other columns and a matching hash. */
function changed({ subject, body, headers }: AuditMessage, columns: Record<string, unknown>): AuditMessage {
  const read: Body = JSON.parse(Buffer.from(body).toString());
  const record = { ...read.record, ...columns };
  const values = EVENT_COLUMNS.map((column) => {
    const value = record[column];
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  });
  const hash = hashRecord(read.before, values);
  return { subject, id: String(record.id), headers, body: json({ ...read, record, hash }) };
}

async function archived() {
  const settings = testSettings(await startServer());
  const { address, open } = await freshDatabase();
  const machine = testMachine();
  machine.record(2);
  await machine.join(settings).allSent();
  const { js } = await openTestSession(settings);
  const said: string[] = [];
  const server = await openArchiveServer({
    settings,
    secrets: NO_SECRETS,
    address,
    log: (_, message) => void said.push(message),
  });
  onTestFinished(() => server.close());
  const [message] = await machine.messages();
  if (!message) throw new Error('no record');
  const send = (subject: string, body: Uint8Array | string) => js.publish(subject, body);
  return { machine, message, js, send, server, said, db: await open() };
}

test('moves invalid or altered records aside and continues', async () => {
  const { machine, message, send, server, said, db } = await archived();
  const own = `hookline.test.audit.${machine.id}`;
  const read = JSON.parse(Buffer.from(message.body).toString());
  const { publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const signed = { hash: 'x', at: 1, signature: 'eA==', publicKey: key };
  await send(`${own}.event.a.b`, 'no JSON');
  await send(`${own}.event.a.b`, Buffer.from([0xff, 0xfe, 0x00]));
  await send(`${own}.event.a.b`, json({ kind: 'record' }));
  await send('hookline.test.audit.unknown.event.a.b', message.body);
  await send(`hookline.test.audit.${'x'.repeat(3_000)}.event.a.b`, message.body);
  await send(`${own}.event.a.b`, json({ ...read, record: { ...read.record, decision: 'allow' } }));
  await send(`${own}.event.a.b`, changed(message, { id: 'a1', sequence: 1.5 }).body);
  await send(`${own}.event.a.b`, changed(message, { id: 'a2', timestamp: 1e300 }).body);
  await send(`${own}.event.a.b`, JSON.stringify(read).replace('"latency_ms":1.5', '"latency_ms":1e999'));
  await send(`${own}.event.a.b`, changed(message, { id: 'a3', event: null }).body);
  await send(`${own}.event.a.b`, changed(message, { decision: 'allow' }).body);
  await send(`${own}.chain.checkpoint`, json({ kind: 'checkpoint', link: 1, ...signed }));
  await send(`${own}.chain.gap`, json({ kind: 'gap', first: 1, last: 9, reason: 'pruned', ...signed }));
  await send(
    `${own}.chain.gap`,
    json({ kind: 'gap', first: 1, last: 9, reason: 'pruned', ...signed, publicKey: '' }),
  );
  machine.record(1);
  await until(() => server.stored().records === 3 && server.stored().refused === 14);
  const refused = await db.query('SELECT reason FROM hookline.refused ORDER BY sequence');
  expect(refused.map(({ reason }) => reason)).toEqual([
    'It is not a history message.',
    'It is not a history message.',
    'It is not a history message.',
    'Its subject names no machine.',
    'Its subject names no machine.',
    'It was changed: its hash does not match.',
    'Its sequence is missing or invalid.',
    'Its timestamp is missing or invalid.',
    'Its latency_ms is missing or invalid.',
    'Its event is missing or invalid.',
    'Another record has its id.',
    'It is not signed with the key of its machine.',
    'It is not signed with the key of its machine.',
    'It is not signed with the key of its machine.',
  ]);
  expect(said).toEqual([]);
});

test('stores unusual and huge values', async () => {
  const { machine, message, js, server, db } = await archived();
  const long = 'x'.repeat(50_000);
  const words = Array.from({ length: 100_000 }, (_, at) => at.toString(36)).join(' ');
  const { body } = changed(message, {
    ...{ id: long, source: long, session_id: long, type: long, user_id: 'm\0aya \ud800' },
    event: JSON.stringify({ type: 'before_tool', prompt: `a\0b ${words}`, half: '\ud800' }),
    native: JSON.stringify('y'.repeat(8 << 20)),
  });
  const headers = (await loadNats()).transport.headers();
  headers.set('Hookline-Encoding', 'gzip');
  await js.publish(`hookline.test.audit.${machine.id}.event.a.b`, gzipSync(body), { headers });
  await until(() => server.stored().records === 3);
  const [row] = await db.query(
    'SELECT length(id) AS id, length(native) AS native, user_id, message_id FROM hookline.events WHERE length(id) > 100',
  );
  expect(row).toEqual({
    id: 50_000,
    native: (8 << 20) + 2,
    user_id: 'm\ufffdaya \ufffd',
    message_id: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect(server.stored().refused).toBe(0);
});

test('sets aside only what PostgreSQL rejects', async () => {
  const { machine, server, db } = await archived();
  await until(() => server.stored().records === 2);
  await db.exec("ALTER TABLE hookline.events ADD CHECK (session_id <> 'bad')");
  machine.record(20);
  machine.record(1, 'bad');
  machine.record(20);
  await until(() => server.stored().records === 42 && server.stored().refused === 1);
  const [row] = await db.query('SELECT reason FROM hookline.refused');
  expect(row?.reason).toBe('PostgreSQL does not take it.');
});
