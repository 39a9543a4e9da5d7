import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { PRIVATE_NETWORKS } from './addresses.ts';
import {
  type Authority,
  issueAuthority,
  issueServerCertificate,
  type KeyedCertificate,
} from './certificate.ts';

const NOW = Date.now();
const permitted = { networks: PRIVATE_NETWORKS, names: ['box.local'] };
const authority = issueAuthority('Hookline on my box, "Zoë", O=x', permitted, NOW);

/** A real handshake: how a client that trusts the authority treats a server with this certificate. */
async function handshake(
  { certificate, key }: KeyedCertificate,
  { certificate: ca }: Authority,
  name: string,
) {
  const server = createServer({ cert: certificate, key });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return new Promise<string>((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port: address.port,
      ca,
      servername: /[a-z]/.test(name) ? name : '',
    });
    const end = (what: string) => {
      socket.destroy();
      resolve(what);
    };
    socket.on('secureConnect', () => end(socket.getProtocol() ?? ''));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.message));
  });
}

test('an authority states its purpose and certifies only servers', () => {
  const parsed = new X509Certificate(authority.certificate);
  expect(parsed.ca).toBe(true);
  expect(parsed.subject).toContain('Hookline on my box');
  expect(parsed.verify(parsed.publicKey)).toBe(true);
  expect(parsed.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(Date.parse(parsed.validTo) - NOW).toBeGreaterThan(9 * 365 * 86_400_000);
});

test('a server certificate covers its addresses and names, and only servers', () => {
  const names = ['192.168.1.20', 'fd00::2', 'box.local'];
  const server = issueServerCertificate(authority, names, NOW);
  const parsed = new X509Certificate(server.certificate);
  const issuer = new X509Certificate(authority.certificate);
  expect(parsed.checkIssued(issuer)).toBe(true);
  expect(parsed.verify(issuer.publicKey)).toBe(true);
  expect(parsed.ca).toBe(false);
  expect(parsed.checkIP('192.168.1.20')).toBe('192.168.1.20');
  expect(parsed.checkIP('fd00::2')).toBeDefined();
  expect(parsed.checkIP('192.168.1.21')).toBeUndefined();
  expect(parsed.checkHost('box.local')).toBe('box.local');
  expect(parsed.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  // Phones reject certificates that are valid for longer.
  expect(Date.parse(parsed.validTo) - Date.parse(parsed.validFrom)).toBeLessThanOrEqual(398 * 86_400_000);
});

test('two certificates have two serial numbers', () => {
  const serial = () =>
    new X509Certificate(issueServerCertificate(authority, ['10.0.0.1'], NOW).certificate).serialNumber;
  expect(serial()).not.toBe(serial());
});

test('a client that trusts the authority connects, by address and by name', async () => {
  const server = issueServerCertificate(authority, ['127.0.0.1', 'box.local'], NOW);
  expect(await handshake(server, authority, '127.0.0.1')).toBe('TLSv1.3');
  expect(await handshake(server, authority, 'box.local')).toBe('TLSv1.3');
  const unnamed = issueServerCertificate(authority, ['127.0.0.1'], NOW);
  expect(await handshake(unnamed, authority, '127.0.0.1')).toBe('TLSv1.3');
});

test("clients reject a certificate outside the authority's limits, even if signed with its key", async () => {
  const forged = issueServerCertificate(authority, ['127.0.0.1', 'bank.example'], NOW);
  expect(await handshake(forged, authority, 'bank.example')).toBe('permitted subtree violation');
  const address = issueServerCertificate(authority, ['127.0.0.1', '8.8.8.8'], NOW);
  expect(await handshake(address, authority, '127.0.0.1')).toBe('permitted subtree violation');
});

test('a certificate of another authority is refused', async () => {
  const other = issueAuthority('Hookline on another', permitted, NOW);
  const server = issueServerCertificate(other, ['127.0.0.1'], NOW);
  expect(await handshake(server, authority, '127.0.0.1')).toMatch(/unable|self.signed/);
});

test('an old certificate is refused', async () => {
  const server = issueServerCertificate(authority, ['127.0.0.1'], NOW - 500 * 86_400_000);
  expect(await handshake(server, authority, '127.0.0.1')).toBe('certificate has expired');
});
