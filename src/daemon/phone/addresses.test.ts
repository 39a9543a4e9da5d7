import { expect, test } from 'vitest';
import {
  addressBytes,
  canonicalAddress,
  inUrl,
  isEveryAddress,
  isPublicAddress,
  machineAddresses,
} from './addresses.ts';

test.each([
  '192.168.1.2',
  '10.0.0.1',
  '172.31.0.1',
  '100.100.1.1',
  '127.0.0.2',
  '169.254.1.1',
  '::1',
  'fd7a::1',
  'fe80::1',
])('%s is private', (address) => expect(isPublicAddress(address)).toBe(false));
test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '0.0.0.0', '::', '2001:db8::1'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test('writes addresses in canonical form', () => {
  expect(canonicalAddress('FD00:0:0:0:0:0:0:2')).toBe('fd00::2');
  expect(canonicalAddress('0:0:0:0:0:0:0:0')).toBe('::');
  expect(isEveryAddress(canonicalAddress('0:0::0') ?? '')).toBe(true);
  for (const none of ['', 'localhost', '0', '127.1', 'fe80::1%eth0', '::ffff:0.0.0.0', '::ffff:8.8.8.8'])
    expect(canonicalAddress(none), none).toBeNull();
  expect(inUrl('fd00::2')).toBe('[fd00::2]');
  expect(inUrl('10.0.0.1')).toBe('10.0.0.1');
});

test('addresses as bytes', () => {
  expect([...addressBytes('192.168.1.20')]).toEqual([192, 168, 1, 20]);
  expect(addressBytes('fd00::1:2').toString('hex')).toBe('fd000000000000000000000000010002');
  expect(addressBytes('::1').toString('hex')).toBe(`${'0'.repeat(31)}1`);
  expect(addressBytes('::').toString('hex')).toBe('0'.repeat(32));
});

test("choices exclude loopback and addresses that need a network card's name, and list private ones first", () => {
  const entry = (address: string, internal = false) => ({
    address,
    internal,
    netmask: '',
    mac: '',
    cidr: null,
    ...(address.includes(':') ? { family: 'IPv6' as const, scopeid: 0 } : { family: 'IPv4' as const }),
  });
  expect(
    machineAddresses({
      lo: [entry('127.0.0.1', true)],
      eth0: [entry('203.0.113.7'), entry('fe80::1')],
      wlan0: [entry('fd00::2'), entry('192.168.1.20')],
    }).map(({ address, card }) => `${card} ${address}`),
  ).toEqual(['wlan0 192.168.1.20', 'wlan0 fd00::2', 'eth0 203.0.113.7']);
});
