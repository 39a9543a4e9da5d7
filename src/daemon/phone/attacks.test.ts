import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect as connectSecure } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { pairedDevice, remoteDevice } from '../../../test/support/daemon/phone.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { listEvents } from '../../store/read/queries.ts';
import { openDevices } from './devices.ts';

const RULES = 'rules:\n  - { id: ask-install, command: npm install, ask: Is this one wanted? }\n';

async function opened() {
  const paths = scratchHome('http: {port: 0}\nphone: {address: 127.0.0.2, port: 0}\n');
  writeFileSync(join(paths.rules, 'a.yaml'), RULES);
  const daemon = await startDaemon(paths);
  const { hostname: host, port, host: name } = new URL(daemon.phone.status()?.url ?? '');
  return { daemon, paths, name, at: { host, port: Number(port) } };
}

type Opened = Awaited<ReturnType<typeof opened>>;

/** A pending call. */
async function waiting({ daemon }: Opened) {
  const { queue, attach } = daemon.hub.approvals;
  onTestFinished(attach());
  const cwd = join(scratchFolder(), 'shop');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  const payload = {
    session_id: 's1',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm install left-pad' },
    tool_use_id: 't1',
  };
  const call = { id: 'call-1', receivedAt: Date.now(), agent: 'claude', event: null, env: {}, payload };
  const answered = daemon.hub.call(call);
  await until(() => queue.pending().length > 0);
  onTestFinished(async () => {
    queue.withdraw(() => true, 'the test has ended');
    await answered;
  });
  return queue.pending()[0]?.id ?? '';
}

/** An answer whose last part arrives after something else has happened. */
function slowAnswer(phone: Awaited<ReturnType<typeof pairedDevice>>, id: string, ca: Buffer) {
  const body = JSON.stringify({ decision: 'allow' });
  const headers = { ...phone.headers, origin: phone.url, 'content-length': body.length };
  const options = { method: 'POST', ca, agent: false as const, servername: '', headers };
  const sent = request(`${phone.url}/api/approvals/${id}`, options);
  sent.write(body.slice(0, 5));
  return async () => {
    const answered = once(sent, 'response');
    sent.end(body.slice(5));
    const [response] = await answered;
    response.resume();
    return Number(response.statusCode);
  };
}

test.each(['revoked', 'limited'])(
  "a device that is %s while its answer is in transit doesn't answer",
  async (what) => {
    const all = await opened();
    const { daemon, paths } = all;
    const phone = await pairedDevice(daemon);
    const id = await waiting(all);
    const finish = slowAnswer(phone, id, readFileSync(join(paths.phone, 'ca.crt')));
    // Its headers were read by the time a later request is answered.
    await phone.ask('GET', '/api/approvals');
    if (what === 'revoked') daemon.phone.revoke('Pixel 9', 'maya');
    else daemon.phone.limit('Pixel 9', { only: 'deny' }, 'maya');
    expect(await finish()).toBe(what === 'revoked' ? 401 : 403);
    expect(daemon.hub.approvals.queue.find(id)?.state).toBe('pending');
  },
);

test("a connection that never starts TLS doesn't keep the listener from closing", async () => {
  const { daemon, at } = await opened();
  const socket = connectPlain({ ...at, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  await daemon.phone.switchOff('maya');
  expect(daemon.phone.status()).toBeNull();
});

test("a denied feed connection that stays open doesn't either", async () => {
  const { daemon, at, name } = await opened();
  const socket = connectSecure({
    socket: connectPlain({ ...at, allowHalfOpen: true }),
    rejectUnauthorized: false,
  });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write(`GET /x HTTP/1.1\r\nHost: ${name}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  const [said] = await once(socket, 'data');
  expect(String(said)).toContain('401');
  await daemon.phone.switchOff('maya');
  expect(daemon.phone.status()).toBeNull();
});

test("unlimited wrong codes don't fill the log", async () => {
  const { daemon, paths } = await opened();
  const stranger = remoteDevice(daemon);
  for (let tried = 0; tried < 80; tried += 1)
    await stranger.ask('POST', '/pair', { code: 'wrong', name: 'Pixel 9' });
  const lines = readFileSync(join(paths.log, 'daemon.log'), 'utf8').split('\n');
  expect(lines.filter((line) => line.includes('was not paired'))).toHaveLength(31);
});

test("answers beyond the limits don't fill the history", async () => {
  const all = await opened();
  const phone = await pairedDevice(all.daemon);
  const id = await waiting(all);
  for (let tried = 0; tried < 80; tried += 1)
    await phone.ask('POST', `/api/approvals/${id}`, { decision: 'allow', scope: 'always' });
  const refused = listEvents(all.daemon.home.db, { session: 'access' }).filter(
    ({ response }) => response.decision === 'deny',
  );
  expect(refused).toHaveLength(31);
});

test("an address that uses up its connections doesn't lock out other addresses", async () => {
  const { daemon, at } = await opened();
  const ended = { count: 0 };
  const held = Array.from({ length: 200 }, () => {
    const socket = connectPlain({ ...at, localAddress: '127.0.0.5' });
    socket.on('error', () => {}).on('close', () => (ended.count += 1));
    return socket;
  });
  onTestFinished(() => {
    for (const socket of held) socket.destroy();
  });
  await until(() => ended.count === 150);
  expect((await remoteDevice(daemon).ask('GET', '/pair')).status).toBe(200);
});

test('a device added to the file by hand raises an alert and is recorded; pairing raises none', async () => {
  const { daemon, paths } = await opened();
  const found = () => daemon.home.alerts.list().filter(({ code }) => code === 'devices-changed');
  const phone = await pairedDevice(daemon);
  const feed = await phone.feed();
  if (typeof feed === 'number') throw new Error(`refused: ${feed}`);
  const closed = once(feed, 'close');
  expect(found()).toEqual([]);
  openDevices(paths.devices).add('Pixel 10', 'mallory');
  // The daemon writes the file itself before its next check.
  daemon.phone.limit('Pixel 9', { only: 'deny' }, 'maya');
  await until(() => found().length === 1);
  await closed;
  const said = () =>
    listEvents(daemon.home.db, { session: 'access' }).map(({ response }) => response.systemMessage);
  await until(() => said().some((text) => text?.startsWith('devices.json was changed')));
});
