import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { person, printed, useHome } from '../../../test/support/cli.ts';
import { scratchHome, startDaemon } from '../../../test/support/daemon/daemon.ts';
import { pairedDevice } from '../../../test/support/daemon/phone.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { openDevices } from '../../daemon/phone/devices.ts';
import { homePaths } from '../../home/paths.ts';
import type { Access } from '../../model/people/access.ts';
import type { Command } from '../command.ts';
import open from '../daemon/open.ts';
import status from '../daemon/status.ts';
import { phone as phoneCheck } from '../doctor/checks/phone.ts';
import devices from './devices.ts';

/** A daemon with its own home. Commands come from a person unless `access` says otherwise. */
async function running(access: Access | null = person) {
  const paths = scratchHome('http: {port: 0}\nphone: {port: 0}\n');
  useHome(paths);
  const daemon = await startDaemon(paths, access === null ? {} : { access });
  return { paths, daemon };
}

const said = async (command: Command, ...args: string[]) => (await printed(command, args)).join('\n');

test('open --phone listens, and gives a link that pairs; --off ends it', async () => {
  const { daemon } = await running();
  const { url, phone } = JSON.parse(await said(open, '--phone', '--address', '127.0.0.2', '--json'));
  expect(url).toMatch(/^https:\/\/127\.0\.0\.2:\d+\/pair#[\w-]{22}$/);
  expect(phone.fingerprint).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  await pairedDevice(daemon);
  const { phone: shown, devices: known } = JSON.parse(await said(status, '--json'));
  expect(shown.url).toBe(phone.url);
  expect(known).toMatchObject([{ name: 'Pixel 9', only: 'once' }]);
  const shownStatus = await said(status);
  expect(shownStatus).toMatch(/phone +https:\/\/127\.0\.0\.2:\d+, 1 device: Pixel 9/);
  // Active rules are listed apart from the history.
  expect(shownStatus).toMatch(/history +\d+ events?\n +active +\d+ rules \(including packs\), 0 hooks\n/);
  // Another device can pair at the same address.
  const again = await said(open, '--phone');
  expect(again).toContain('It pairs one device, once, within 5 minutes:\nhttps://127.0.0.2:');
  expect(again).toContain(phone.fingerprint);
  expect(await said(open, '--phone', '--off')).toContain('on this machine only');
  expect(JSON.parse(await said(status, '--json')).phone).toBeNull();
});

test('without an address it needs a terminal to ask, and never listens on every address by default', async () => {
  await running();
  await expect(open.run(['--phone'])).rejects.toThrow('Missing address. Pass --address');
  for (const address of ['0.0.0.0', '::', '0:0:0:0:0:0:0:0'])
    await expect(open.run(['--phone', '--address', address])).rejects.toThrow(
      'every network this machine joins',
    );
  for (const address of ['localhost', '*', '127.1', '::ffff:0.0.0.0'])
    await expect(open.run(['--phone', '--address', address])).rejects.toThrow(
      '--address takes an IP address',
    );
  await expect(open.run(['--address', '127.0.0.2'])).rejects.toThrow('--address needs --phone');
  await expect(open.run(['--phone', '--address', '127.0.0.2', '--port', '0'])).rejects.toThrow(
    '--port takes a number',
  );
});

test('every address, for who insists, with a warning', async () => {
  const { daemon } = await running();
  const text = await said(open, '--phone', '--address', '0.0.0.0', '--every-address');
  expect(text).toContain('WARNING: the dashboard listens on every address of this machine');
  expect(daemon.phone.status()?.url).not.toContain('0.0.0.0');
  expect(await said(status)).toContain('(public)');
});

test('devices are listed, limited and revoked', async () => {
  const { paths, daemon } = await running();
  expect(await said(devices)).toContain('No paired devices.');
  await daemon.phone.switchOn({ address: '127.0.0.2' }, 'maya');
  const phone = await pairedDevice(daemon);
  expect(await said(devices)).toMatch(/Pixel 9 {2}may allow once {2}paired .* by maya, last seen /);
  const folder = join(scratchFolder(), 'shop');
  mkdirSync(join(folder, '.git'), { recursive: true });
  expect(await said(devices, 'limit', 'pixel 9', '--only', 'deny', '--projects', `${folder}/`)).toBe(
    'Pixel 9 may only deny, in shop.',
  );
  expect(JSON.parse(await said(devices, 'list', '--json'))).toMatchObject({
    name: 'Pixel 9',
    only: 'deny',
    projects: [folder],
  });
  expect(await said(devices, 'limit', 'Pixel 9', '--projects', 'all')).toBe('Pixel 9 may only deny.');
  await expect(devices.run(['limit', 'Pixel 9'])).rejects.toThrow('Pass --only or --projects');
  await expect(devices.run(['limit', 'Pixel 9', '--only', 'allow'])).rejects.toThrow(
    '--only takes deny, once, any',
  );
  await expect(devices.run(['limit', 'Pixel 9', '--projects', 'shop'])).rejects.toThrow(
    'No agent has worked in a project named shop',
  );
  await expect(devices.run(['revoke', 'iPad'])).rejects.toThrow('Unknown device iPad');
  expect(await said(devices, 'revoke', 'Pixel 9')).toContain('Revoked Pixel 9');
  expect((await phone.ask('GET', '/api/overview')).status).toBe(401);
  expect(openDevices(paths.devices).list()).toEqual([]);
});

test('a project is known by its name where an agent has worked in it', async () => {
  const { daemon } = await running();
  const folder = join(scratchFolder(), 'shop');
  mkdirSync(join(folder, '.git'), { recursive: true });
  await daemon.phone.switchOn({ address: '127.0.0.2' }, 'maya');
  await pairedDevice(daemon);
  const payload = { session_id: 's', cwd: folder, hook_event_name: 'UserPromptSubmit', prompt: 'Hi.' };
  await daemon.hub.call({ id: 'x', receivedAt: Date.now(), agent: 'claude', event: null, env: {}, payload });
  expect(await said(devices, 'limit', 'Pixel 9', '--projects', 'shop')).toBe(
    'Pixel 9 may allow once, in shop.',
  );
  expect(daemon.phone.devices.list()).toMatchObject([{ projects: [folder] }]);
});

test('requires a person to open phone access or change a device', async () => {
  const { daemon, paths } = await running(null);
  openDevices(paths.devices).add('Pixel 9', 'maya');
  const attempts = [
    () => open.run(['--phone', '--address', '127.0.0.2']),
    () => open.run(['--phone', '--off']),
    () => devices.run(['limit', 'Pixel 9', '--only', 'any']),
    () => devices.run(['revoke', 'Pixel 9']),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_A_PERSON' });
  expect(daemon.phone.status()).toBeNull();
  await daemon.stop();
  for (const attempt of attempts.slice(2))
    await expect(attempt()).rejects.toMatchObject({ code: 'NOT_A_PERSON' });
  expect(openDevices(paths.devices).list()).toMatchObject([{ name: 'Pixel 9', only: 'once' }]);
});

test('doctor names the devices, and warns of a public address', () => {
  const paths = homePaths(scratchFolder());
  writeFileSync(paths.config, '');
  const examined = (address: string | null) => {
    const listener =
      address === null
        ? null
        : {
            address,
            port: 8766,
            url: `https://${address}:8766`,
            fingerprint: '',
            authorityFile: '',
            problem: null,
          };
    const info = { pid: 1, version: '', socket: '', http: '', startedAt: '' };
    const answer = {
      daemon: info,
      events: 0,
      rules: 0,
      ruleProblems: [],
      ruleRemarks: [],
      hooks: [],
      hookProblems: [],
      unlockedUntil: null,
      alerts: [],
      unrecorded: { waiting: 0, dropped: 0 },
      away: null,
      phone: listener,
      devices: [{ name: 'Pixel 9', only: 'once' as const, projects: null }],
      config: {},
    };
    const client = {
      info,
      status: async () => answer,
      get: async () => null,
      post: async () => null,
      follow: async () => {},
    };
    return phoneCheck({ presence: { kind: 'answers', client, status: answer } });
  };
  expect(examined(null)).toEqual([]);
  expect(examined('192.168.1.20')).toMatchObject([
    { level: 'ok', message: expect.stringContaining('1 device paired: Pixel 9') },
  ]);
  for (const address of ['8.8.8.8', '0.0.0.0', '::'])
    expect(examined(address)).toMatchObject([{ level: 'ok' }, { level: 'warning', code: 'phone-public' }]);
});
