import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { openDevices, UNSEEN_MS } from './devices.ts';

function opened() {
  const file = join(scratchFolder(), 'devices.json');
  let now = Date.parse('2026-11-16T10:00:00Z');
  const devices = openDevices(file, () => now);
  return { file, devices, pass: (ms: number) => (now += ms) };
}

test('admits a device by cookie and key together, and may allow once', () => {
  const { devices } = opened();
  const { device, pass } = devices.add('Pixel 9', 'maya');
  expect(device).toMatchObject({ name: 'Pixel 9', pairedBy: 'maya', only: 'once', projects: null });
  expect(devices.admits(pass.cookie, pass.key)).toEqual(device);
  expect(devices.admits(pass.cookie, '')).toBeNull();
  expect(devices.admits('', pass.key)).toBeNull();
  expect(devices.admits(pass.key, pass.cookie)).toBeNull();
  expect(devices.withCookie(pass.cookie)?.name).toBe('Pixel 9');
  const other = devices.add('Tablet', 'maya');
  expect(devices.admits(pass.cookie, other.pass.key)).toBeNull();
});

test('the file contains no secret, and only its owner can read it', () => {
  const { devices, file } = opened();
  const { pass } = devices.add('Pixel 9', 'maya');
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(pass.cookie);
  expect(text).not.toContain(pass.key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('rejects a revoked device, and every device if the file is unreadable', () => {
  const { devices, file } = opened();
  const { pass } = devices.add('Pixel 9', 'maya');
  const again = openDevices(file);
  expect(again.revoke('Pixel 9')).toBe(true);
  expect(again.revoke('Pixel 9')).toBe(false);
  expect(devices.admits(pass.cookie, pass.key)).toBeNull();
  const { pass: second } = devices.add('Pixel 9', 'maya');
  writeFileSync(file, '{"devices": [');
  expect(devices.admits(second.cookie, second.key)).toBeNull();
  expect(devices.withCookie(second.cookie)).toBeNull();
});

test('makes names distinct', () => {
  const { devices } = opened();
  expect(['Pixel 9', 'Pixel 9', 'Pixel 9'].map((name) => devices.add(name, 'maya').device.name)).toEqual([
    'Pixel 9',
    'Pixel 9 2',
    'Pixel 9 3',
  ]);
  // No remote answer looks like one from this machine.
  expect(devices.add('Dashboard', 'maya').device.name).toBe('Dashboard 2');
  expect(devices.add('pixel 9', 'maya').device.name).toBe('pixel 9 4');
});

test('a device not seen for months must be paired again', () => {
  const { devices, pass: later } = opened();
  const { pass } = devices.add('Pixel 9', 'maya');
  later(UNSEEN_MS - 1);
  devices.seen('Pixel 9');
  later(UNSEEN_MS - 1);
  expect(devices.admits(pass.cookie, pass.key)?.name).toBe('Pixel 9');
  later(1);
  expect(devices.admits(pass.cookie, pass.key)).toBeNull();
  expect(devices.list()).toEqual([]);
});

test('sets limits independently', () => {
  const { devices, file } = opened();
  devices.add('Pixel 9', 'maya');
  expect(devices.limit('Pixel 9', { only: 'deny' })).toMatchObject({ only: 'deny', projects: null });
  expect(devices.limit('Pixel 9', { projects: ['/shop'] })).toMatchObject({
    only: 'deny',
    projects: ['/shop'],
  });
  expect(openDevices(file).list()).toMatchObject([{ only: 'deny', projects: ['/shop'] }]);
  expect(devices.limit('Tablet', { only: 'any' })).toBeNull();
});
