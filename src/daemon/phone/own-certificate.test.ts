import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { ownCertificate } from './own-certificate.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;
const authorityIn = (folder: string) => readFileSync(join(folder, 'ca.crt'), 'utf8');

test("a home's certificates are created once and kept, readable only by their owner", () => {
  const folder = join(scratchFolder(), 'phone');
  const first = ownCertificate(folder, ['192.168.1.20'], NOW);
  expect(ownCertificate(folder, ['192.168.1.20'], NOW + DAY_MS)).toEqual(first);
  for (const file of ['authority.json', 'server.json', 'ca.crt'])
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(first.authorityFile).toBe(join(folder, 'ca.crt'));
});

test('a new address or an expiring certificate leads to a new one from the same authority', () => {
  const folder = scratchFolder();
  const first = ownCertificate(folder, ['192.168.1.20'], NOW);
  const authority = authorityIn(folder);
  const moved = ownCertificate(folder, ['192.168.1.21'], NOW);
  expect(moved.fingerprint).not.toBe(first.fingerprint);
  const renewed = ownCertificate(folder, ['192.168.1.21'], NOW + 380 * DAY_MS);
  expect(renewed.fingerprint).not.toBe(moved.fingerprint);
  expect(authorityIn(folder)).toBe(authority);
});

test('an authority certifies only private addresses, until asked for more', () => {
  const folder = scratchFolder();
  ownCertificate(folder, ['192.168.1.20'], NOW);
  const authority = authorityIn(folder);
  ownCertificate(folder, ['10.1.2.3'], NOW);
  expect(authorityIn(folder)).toBe(authority);
  ownCertificate(folder, ['box.local', '10.1.2.3'], NOW);
  expect(authorityIn(folder)).not.toBe(authority);
});

test('recreates unreadable files', () => {
  const folder = scratchFolder();
  ownCertificate(folder, ['192.168.1.20'], NOW);
  for (const file of ['authority.json', 'server.json']) writeFileSync(join(folder, file), '{"half');
  const again = ownCertificate(folder, ['192.168.1.20'], NOW);
  const authority = new X509Certificate(authorityIn(folder));
  expect(new X509Certificate(again.certificate).verify(authority.publicKey)).toBe(true);
});
