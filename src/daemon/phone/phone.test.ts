import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startDaemon } from '../../../test/support/daemon/daemon.ts';
import {
  ADDRESS,
  accessRecord,
  pairedDevice,
  phoneDaemon,
  remoteDevice,
} from '../../../test/support/daemon/phone.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { readConfig } from '../../home/config.ts';
import { issueAuthority, issueServerCertificate } from './certificate.ts';
import { openDevices } from './devices.ts';

const NOT_PAIRED = '{"error":{"code":"USAGE","message":"This device is not paired.","hint":null}}';

describe('an unpaired client', () => {
  test('gets the pairing page and nothing about this machine', async () => {
    const { daemon } = await phoneDaemon();
    const stranger = remoteDevice(daemon);
    for (const path of ['/', '/pair']) {
      const { status, text } = await stranger.ask('GET', path);
      expect(status).toBe(200);
      expect(text).toContain('Pair this device');
      expect(text).not.toContain(daemon.info.version);
      expect(text).not.toContain('index-');
    }
    const { status, text } = await stranger.ask('GET', '/index.html');
    expect([status, text]).toEqual([401, NOT_PAIRED]);
  });

  const PATHS = [
    'GET /api/overview',
    'GET /api/status',
    'GET /api/approvals',
    'POST /api/approvals/x',
    'POST /api/login-link',
    'GET /login?code=x',
    'POST /api/shutdown',
    'POST /api/unlock',
    'POST /api/phone/on',
    'POST /api/phone/pair',
    'GET /api/devices',
    'POST /hooks/claude',
    'POST /api/hooks/execute',
    'GET /admin/status',
    'GET /api/admin/health',
    'GET /sw.js',
    'GET /nothing',
    'PUT /api/overview',
    'OPTIONS /api/overview',
  ];
  test('is denied everything else, whatever it has besides both halves of a pass', async () => {
    const { daemon } = await phoneDaemon();
    const { headers: page } = await pairedDevice(daemon);
    const key = { 'x-hookline-key': page['x-hookline-key'] ?? '' };
    const stranger = remoteDevice(daemon);
    for (const line of PATHS) {
      const [method = '', path = ''] = line.split(' ');
      const body = method === 'POST' ? {} : undefined;
      for (const headers of [
        {},
        { authorization: `Bearer ${daemon.token}` },
        key,
        { ...key, cookie: `hookline=${page.cookie?.split('=')[1]}` },
      ]) {
        const { status, text } = await stranger.ask(method, path, body, headers);
        expect([status, text], line).toEqual([401, NOT_PAIRED]);
      }
    }
  });

  test("has no live feed, not even with the home's token", async () => {
    const { daemon } = await phoneDaemon();
    expect(await remoteDevice(daemon).feed()).toBe(401);
    expect(await remoteDevice(daemon).feed({ authorization: `Bearer ${daemon.token}` })).toBe(401);
    const { headers } = await pairedDevice(daemon);
    expect(await remoteDevice(daemon, headers).feed({ origin: 'https://evil.example' })).toBe(401);
    expect(await remoteDevice(daemon, { cookie: headers.cookie ?? '' }).feed()).toBe(401);
  });

  test('gets no access through a name that resolves to this machine', async () => {
    const { daemon } = await phoneDaemon();
    const { headers } = await pairedDevice(daemon);
    const { status, text } = await remoteDevice(daemon, headers).ask('GET', '/api/overview', undefined, {
      host: 'evil.example',
    });
    expect([status, text]).toEqual([403, '']);
  });

  test('gets no access with a dashboard session of this machine', async () => {
    const { daemon } = await phoneDaemon();
    const login = await fetch(daemon.dashboardLink(), { redirect: 'manual' });
    const own = {
      cookie: (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
      'x-hookline-key': login.headers.get('location')?.replace('/#key=', '') ?? '',
    };
    expect((await remoteDevice(daemon, own).ask('GET', '/api/overview')).status).toBe(401);
    // Nor the other way round.
    const { headers } = await pairedDevice(daemon);
    expect((await fetch(`${daemon.info.http}/api/overview`, { headers })).status).toBe(401);
  });
});

describe('pairing', () => {
  test('admits one device, which stays paired after a daemon restart', async () => {
    const { daemon, paths } = await phoneDaemon();
    const { code, id } = daemon.phone.pair('maya');
    const { status, headers, json } = await remoteDevice(daemon).ask('POST', '/pair', {
      code,
      name: 'Pixel 9',
    });
    expect(status).toBe(200);
    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-hookline-device=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect(daemon.phone.pairing(id)).toEqual({ state: 'paired', device: 'Pixel 9' });
    expect(accessRecord(daemon)).toContain('maya paired the device Pixel 9 at 127.0.0.1.');
    expect((await remoteDevice(daemon).ask('POST', '/pair', { code, name: 'Thief' })).status).toBe(403);
    const own = {
      cookie: String(headers['set-cookie']?.[0]).split(';')[0] ?? '',
      'x-hookline-key': String(json.key),
    };
    await daemon.stop();
    const again = await startDaemon(paths);
    const { status: after, json: overview } = await remoteDevice(again, own).ask('GET', '/api/overview');
    expect(after).toBe(200);
    expect(overview.device).toEqual({ name: 'Pixel 9', only: 'once', projects: null });
  });

  test('requires our own page, a printable name, and limits the number of attempts', async () => {
    const { daemon } = await phoneDaemon();
    const { code } = daemon.phone.pair('maya');
    const stranger = remoteDevice(daemon);
    expect(
      (await stranger.ask('POST', '/pair', { code, name: 'x' }, { origin: 'https://evil.example' })).status,
    ).toBe(401);
    for (const name of ['', '\u001b[2J', 'x'.repeat(41), '(root)'])
      expect((await stranger.ask('POST', '/pair', { code, name })).status).toBe(400);
    for (let times = 0; times < 5; times++)
      expect((await stranger.ask('POST', '/pair', { code: 'guess', name: 'x' })).status).toBe(403);
    expect((await stranger.ask('POST', '/pair', { code, name: 'x' })).status).toBe(429);
    expect(daemon.phone.devices.list()).toEqual([]);
  });
});

describe('a revoked device', () => {
  test('loses access at once, including its feed', async () => {
    const { daemon } = await phoneDaemon();
    const phone = await pairedDevice(daemon);
    const feed = await phone.feed();
    if (typeof feed === 'number') throw new Error(`refused: ${feed}`);
    const closed = new Promise((resolve) => feed.once('close', resolve));
    expect(daemon.phone.revoke('Pixel 9', 'maya')).toBe(true);
    await closed;
    expect((await phone.ask('GET', '/api/overview')).status).toBe(401);
    expect((await phone.ask('GET', '/')).text).toContain('Pair this device');
    expect(await phone.feed()).toBe(401);
    expect(accessRecord(daemon)).toContain('maya revoked the device Pixel 9.');
  });

  test('also if another process revoked it', async () => {
    const { daemon, paths } = await phoneDaemon();
    const phone = await pairedDevice(daemon);
    const feed = await phone.feed();
    if (typeof feed === 'number') throw new Error(`refused: ${feed}`);
    const closed = new Promise((resolve) => feed.once('close', resolve));
    openDevices(paths.devices).revoke('Pixel 9');
    expect((await phone.ask('GET', '/api/overview')).status).toBe(401);
    await closed;
  });

  test('loses access when it logs out', async () => {
    const { daemon } = await phoneDaemon();
    const phone = await pairedDevice(daemon);
    expect((await phone.ask('POST', '/api/logout', {})).status).toBe(200);
    expect(daemon.phone.devices.list()).toEqual([]);
  });
});

describe('the listener', () => {
  test('is switched on and off, and the settings keep that', async () => {
    const { daemon, paths } = await phoneDaemon('http: {port: 0}\n# mine\nphone: {port: 0}\n');
    expect(daemon.phone.status()).toBeNull();
    expect(() => daemon.phone.pair('maya')).toThrow('not open to other devices');
    const status = await daemon.phone.switchOn({ address: ADDRESS }, 'maya');
    expect(status.url).toMatch(/^https:\/\/127\.0\.0\.2:\d+$/);
    expect(readConfig(paths.config).phone.address).toBe(ADDRESS);
    expect(readFileSync(paths.config, 'utf8')).toContain('# mine');
    const phone = await pairedDevice(daemon);
    await daemon.phone.switchOff('maya');
    expect(daemon.phone.status()).toBeNull();
    expect(readConfig(paths.config).phone.address).toBeNull();
    await expect(phone.ask('GET', '/')).rejects.toThrow('ECONNREFUSED');
    expect(accessRecord(daemon)).toEqual([
      `maya opened the dashboard to paired devices at ${status.url}.`,
      expect.stringContaining('maya paired the device Pixel 9'),
      'maya closed the dashboard to other devices.',
    ]);
  });

  test("if it can't listen, it says why and keeps the previous state", async () => {
    const { daemon, paths } = await phoneDaemon();
    const { url } = daemon.phone.status() ?? {};
    await expect(daemon.phone.switchOn({ address: '192.0.2.77' }, 'maya')).rejects.toThrow(
      'currently has no address 192.0.2.77',
    );
    expect(readConfig(paths.config).phone.address).toBe(ADDRESS);
    expect(daemon.phone.status()?.url).toMatch(/^https:\/\/127\.0\.0\.2:/);
    expect(url).toBeDefined();
  });

  test("a missing network at startup raises an alert and doesn't prevent the start", async () => {
    const { daemon } = await phoneDaemon('http: {port: 0}\nphone: {address: 192.0.2.77, port: 0}\n');
    expect(daemon.phone.status()).toMatchObject({
      url: null,
      problem: expect.stringContaining('192.0.2.77'),
    });
    expect(daemon.hub.alerts.list()).toMatchObject([{ code: 'phone-not-listening', level: 'problem' }]);
  });

  test("uses the user's certificate and is reachable by its name", async () => {
    const folder = scratchFolder();
    const authority = issueAuthority('Mine', { networks: [], names: ['box.example'] }, Date.now());
    const own = issueServerCertificate(authority, ['box.example'], Date.now());
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, own.certificate);
    writeFileSync(key, own.key);
    const { daemon } = await phoneDaemon(
      `http: {port: 0}\nphone: {address: ${ADDRESS}, port: 0, cert: ${cert}, key: ${key}}\n`,
    );
    expect(daemon.phone.status()).toMatchObject({
      url: expect.stringMatching(/^https:\/\/box\.example:\d+$/),
      authorityFile: null,
    });
  });

  test("names a key that doesn't match the certificate", async () => {
    const folder = scratchFolder();
    const authority = issueAuthority('Mine', { networks: [], names: ['box.example'] }, Date.now());
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, issueServerCertificate(authority, ['box.example'], Date.now()).certificate);
    writeFileSync(key, authority.key);
    const { daemon } = await phoneDaemon(
      `http: {port: 0}\nphone: {address: ${ADDRESS}, port: 0, cert: ${cert}, key: ${key}}\n`,
    );
    expect(daemon.phone.status()?.problem).toContain('the key is for another certificate');
  });
});
