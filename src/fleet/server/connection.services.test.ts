import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { ownCertificate } from '../../daemon/phone/own-certificate.ts';
import { NO_SECRETS } from '../settings.ts';
import { nextWait, openConnection } from './connection.ts';
import { socketOf } from './own-sockets.ts';
import { needsTls, parseServers } from './servers.ts';

test('accepts TLS with a certificate of the configured authority, and no other', async () => {
  const folder = scratchFolder();
  const { certificate, key, authorityFile } = ownCertificate(folder, ['localhost'], Date.now());
  const authority = readFileSync(authorityFile ?? '', 'utf8');
  const files = { cert: join(folder, 'c.pem'), key: join(folder, 'k.pem') };
  writeFileSync(files.cert, certificate);
  writeFileSync(files.key, key);
  const server = await startServer(`tls {cert_file: "${files.cert}", key_file: "${files.key}"}`);
  const settings = testSettings({ url: `tls://localhost:${server.port}` }, { ownAuthority: true });
  const { nats } = await openTestSession(settings, { login: null, authority });
  expect(nats.info?.tls_required).toBe(true);
  await expect(openConnection({ ...settings, ownAuthority: false }, NO_SECRETS)).rejects.toThrow(
    /certificate/,
  );
});

test('with TLS required, sends no token to a server without TLS', async () => {
  const server = await startServer('authorization {token: x}');
  const settings = testSettings({ url: `tls://127.0.0.1:${server.port}` }, { login: 'token' });
  await expect(openConnection(settings, { login: 'x', authority: null })).rejects.toThrow(
    "server does not support 'tls'",
  );
});

test('a connection that the server ends while it is being closed ends nothing else, with and without TLS', async () => {
  const folder = scratchFolder();
  const { certificate, key, authorityFile } = ownCertificate(folder, ['localhost'], Date.now());
  const files = { cert: join(folder, 'c.pem'), key: join(folder, 'k.pem') };
  writeFileSync(files.cert, certificate);
  writeFileSync(files.key, key);
  const authority = readFileSync(authorityFile ?? '', 'utf8');
  const plain = await startServer();
  const secure = await startServer(`tls {cert_file: "${files.cert}", key_file: "${files.key}"}`);
  const sessions = [
    await openTestSession(testSettings(plain)),
    await openTestSession(testSettings({ url: `tls://localhost:${secure.port}` }, { ownAuthority: true }), {
      login: null,
      authority,
    }),
  ];
  for (const { nats } of sessions) {
    const socket = socketOf(nats);
    if (socket === null) throw new Error('the client keeps its socket elsewhere');
    // What Node does when the server hangs up.
    socket.end();
    nats.publish('anything');
    void nats.flush().catch(() => {});
    await nats.close();
    expect(socket.errored).toMatchObject({ code: 'ERR_STREAM_WRITE_AFTER_END' });
  }
});

test("doesn't log in to servers that a server announces", async () => {
  const other = await listenOnce(() => INFO({}));
  const first = await listenOnce(() => INFO({ connect_urls: [`127.0.0.1:${other.port}`] }));
  const settings = testSettings({ url: `nats://127.0.0.1:${first.port}` }, { login: 'token' });
  await expect(openConnection(settings, { login: 'secret', authority: null })).rejects.toThrow();
  expect(first.heard()).toContain('secret');
  expect(other.heard()).toBe('');
});

const INFO = (more: object) =>
  `INFO ${JSON.stringify({ server_id: 'x', version: '2.10.0', proto: 1, headers: true, max_payload: 1 << 20, ...more })}\r\n`;

/** Greets one client, reads its first message, and hangs up. */
async function listenOnce(greeting: () => string) {
  let heard = '';
  const server = createServer((socket) => {
    socket.on('error', () => {}).write(greeting());
    socket.once('data', (data) => {
      heard += data.toString();
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, heard: () => heard };
}

test('requires TLS for every other machine', () => {
  expect(needsTls(parseServers('127.0.0.1, nats://localhost:4333'))).toBe(false);
  expect(needsTls(parseServers('nats://[::1]:4222'))).toBe(false);
  expect(needsTls(parseServers('tls://127.0.0.1'))).toBe(true);
  expect(needsTls(parseServers('nats://127.0.0.1,nats://nats.example.com'))).toBe(true);
  expect(needsTls(parseServers('nats://10.0.0.5'))).toBe(true);
});

test('retries failures ever less often, and quickly after success', () => {
  const failing = [0, 0, 0, 0, 0, 0, 0, 0].reduce<number[]>(
    (all) => [...all, nextWait(all.at(-1) ?? 250, 0)],
    [],
  );
  expect(failing).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  // A server that ends each session at once counts as failing.
  expect(nextWait(4_000, 100)).toBe(8_000);
  // For a server that is killed repeatedly, the wait doesn't keep growing.
  expect(nextWait(4_000, 1_000)).toBe(4_000);
  expect(nextWait(4_000, 5_000)).toBe(250);
});
