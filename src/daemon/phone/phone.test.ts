import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toBrief } from '../../history/event-brief.ts';
import { readConfig } from '../../home/config.ts';
import { issueAuthority, issueServerCertificate } from '../../phone/certificate.ts';
import { openDevices } from '../../phone/devices.ts';
import { toPublicEvent } from '../../store/public-event.ts';
import { findEvent, listEvents } from '../../store/queries.ts';
import { scratchFolder } from '../../testing/scratch.ts';
import { scratchHome, startDaemon, until } from '../testing.ts';
import { elsewhere, pairedDevice } from './testing.ts';

const RULES = 'rules:\n  - { id: ask-install, command: npm install, ask: Is this one wanted? }\n';
const ADDRESS = '127.0.0.2';
const NOT_PAIRED = '{"error":{"code":"USAGE","message":"This device is not paired.","hint":null}}';

/** A daemon that listens for devices on another address, and a way to be an agent in two projects. */
async function opened(config = `http: {port: 0}\nphone: {address: ${ADDRESS}, port: 0}\n`) {
  const paths = scratchHome(config);
  writeFileSync(join(paths.rules, 'a.yaml'), RULES);
  const daemon = await startDaemon(paths);
  const [shop, site] = ['shop', 'site'].map((name) => join(scratchFolder(), name));
  for (const project of [shop, site]) mkdirSync(join(project ?? '', '.git'), { recursive: true });
  let calls = 0;
  const bash = async (command: string, cwd = shop) => {
    calls += 1;
    const id = `call-${calls}`;
    await daemon.hub.call({
      id,
      receivedAt: Date.now(),
      agent: 'claude',
      event: null,
      env: {},
      payload: {
        session_id: cwd === site ? 'in-site' : 'in-shop',
        cwd,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: `t${calls}`,
      },
    });
    return findEvent(daemon.home.db, id);
  };
  const pending = async () => {
    await until(() => daemon.hub.approvals.queue.pending().length > 0);
    return daemon.hub.approvals.queue.pending()[0]?.id ?? '';
  };
  const surface = () => onTestFinished(daemon.hub.approvals.attach());
  return { daemon, paths, shop: shop ?? '', site: site ?? '', bash, pending, surface };
}

const said = (daemon: Awaited<ReturnType<typeof opened>>['daemon']) =>
  listEvents(daemon.home.db, { session: 'access' }).map(
    ({ response }) => response.systemMessage ?? response.reason,
  );

describe('who is not paired', () => {
  test('gets the page to pair on, and nothing of this machine', async () => {
    const { daemon } = await opened();
    const stranger = elsewhere(daemon);
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
  test('is refused everything else, whatever it has beside both halves of a pass', async () => {
    const { daemon } = await opened();
    const { headers: page } = await pairedDevice(daemon);
    const key = { 'x-hookline-key': page['x-hookline-key'] ?? '' };
    const stranger = elsewhere(daemon);
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

  test('has no live feed, with the token of the home neither', async () => {
    const { daemon } = await opened();
    expect(await elsewhere(daemon).feed()).toBe(401);
    expect(await elsewhere(daemon).feed({ authorization: `Bearer ${daemon.token}` })).toBe(401);
    const { headers } = await pairedDevice(daemon);
    expect(await elsewhere(daemon, headers).feed({ origin: 'https://evil.example' })).toBe(401);
    expect(await elsewhere(daemon, { cookie: headers.cookie ?? '' }).feed()).toBe(401);
  });

  test('does not get in by a name that leads here', async () => {
    const { daemon } = await opened();
    const { headers } = await pairedDevice(daemon);
    const { status, text } = await elsewhere(daemon, headers).ask('GET', '/api/overview', undefined, {
      host: 'evil.example',
    });
    expect([status, text]).toEqual([403, '']);
  });

  test('is not helped by the session of the dashboard on the machine', async () => {
    const { daemon } = await opened();
    const login = await fetch(daemon.dashboardLink(), { redirect: 'manual' });
    const own = {
      cookie: (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
      'x-hookline-key': login.headers.get('location')?.replace('/#key=', '') ?? '',
    };
    expect((await elsewhere(daemon, own).ask('GET', '/api/overview')).status).toBe(401);
    // Nor the other way round.
    const { headers } = await pairedDevice(daemon);
    expect((await fetch(`${daemon.info.http}/api/overview`, { headers })).status).toBe(401);
  });
});

describe('pairing', () => {
  test('lets one device in, which stays after the daemon has been started again', async () => {
    const { daemon, paths } = await opened();
    const { code, id } = daemon.phone.pair('maya');
    const { status, headers, json } = await elsewhere(daemon).ask('POST', '/pair', { code, name: 'Pixel 9' });
    expect(status).toBe(200);
    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-hookline-device=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect(daemon.phone.pairing(id)).toEqual({ state: 'paired', device: 'Pixel 9' });
    expect(said(daemon)).toContain('maya paired the device Pixel 9 at 127.0.0.1.');
    expect((await elsewhere(daemon).ask('POST', '/pair', { code, name: 'Thief' })).status).toBe(403);
    const own = {
      cookie: String(headers['set-cookie']?.[0]).split(';')[0] ?? '',
      'x-hookline-key': String(json.key),
    };
    await daemon.stop();
    const again = await startDaemon(paths);
    const { status: after, json: overview } = await elsewhere(again, own).ask('GET', '/api/overview');
    expect(after).toBe(200);
    expect(overview.device).toEqual({ name: 'Pixel 9', only: 'once', projects: null });
  });

  test('needs our own page, a name that can be shown, and not too many tries', async () => {
    const { daemon } = await opened();
    const { code } = daemon.phone.pair('maya');
    const stranger = elsewhere(daemon);
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

/** What decides something that is not an answer, or is not for devices at all. */
const NEVER = [
  '/api/unlock',
  '/api/lock',
  '/api/forget',
  '/api/prune',
  '/api/recover',
  '/api/shutdown',
  '/api/login-link',
  '/api/ingest',
  '/api/access/trust',
  '/api/access/rules',
  '/api/rules/save',
  '/api/rules/check',
  '/api/rules/try',
  '/api/packs/git',
  '/api/grants/x/revoke',
  '/api/proposals/x/accept',
  '/api/phone/on',
  '/api/phone/off',
  '/api/phone/pair',
  '/api/devices/Pixel%209/limit',
  '/api/devices/Pixel%209/revoke',
  '/api/sessions/claude/s/gate',
  '/hooks/claude',
  '/api/hooks/execute',
];

describe('a paired device', () => {
  test('answers, and every record says from where', async () => {
    const { daemon, bash, pending } = await opened();
    const phone = await pairedDevice(daemon);
    const feed = await phone.feed();
    const asked = bash('npm install left-pad');
    const id = await pending();
    const { status, json } = await phone.ask('POST', `/api/approvals/${id}`, {
      decision: 'allow',
      surface: 'terminal',
    });
    expect(status).toBe(200);
    const by = expect.stringMatching(/^\S+ \(Pixel 9\)$/);
    expect(json).toMatchObject({ ok: true, approval: { state: 'allowed', settledBy: by } });
    const stored = await asked;
    expect(stored?.response).toMatchObject({
      decision: 'allow',
      reason: expect.stringMatching(/^Approved by \S+ \(Pixel 9\)\.$/),
    });
    expect(stored?.opinions).toContainEqual(
      expect.objectContaining({
        kind: 'approval',
        by: expect.stringMatching(/^allowed by \S+ \(Pixel 9\)$/),
      }),
    );
    if (!stored) throw new Error('nothing was stored');
    expect(toPublicEvent(stored).answeredBy).toMatch(/^\S+ \(Pixel 9\)$/);
    expect(toBrief(stored).answered).toBe('you allowed (Pixel 9)');
    if (typeof feed !== 'number') feed.terminate();
  });

  test('one that may answer for longer leaves its name in the grant', async () => {
    const { daemon, bash, pending, surface, paths } = await opened();
    surface();
    const phone = await pairedDevice(daemon);
    daemon.phone.limit('Pixel 9', { only: 'any' }, 'maya');
    const asked = bash('npm install left-pad');
    await phone.ask('POST', `/api/approvals/${await pending()}`, { decision: 'allow', scope: 'project' });
    await asked;
    expect(JSON.parse(readFileSync(paths.grants, 'utf8'))).toMatchObject([
      { by: expect.stringContaining('(Pixel 9)') },
    ]);
  });

  test('limited to deny, it cannot allow, and the attempt is on record', async () => {
    const { daemon, bash, pending, surface } = await opened();
    surface();
    const phone = await pairedDevice(daemon);
    daemon.phone.limit('Pixel 9', { only: 'deny' }, 'maya');
    const asked = bash('npm install left-pad');
    const id = await pending();
    for (const answer of [
      { decision: 'allow' },
      { decision: 'none' },
      { decision: 'allow', scope: 'always' },
    ]) {
      const { status, json } = await phone.ask('POST', `/api/approvals/${id}`, answer);
      expect(status).toBe(403);
      expect(json).toMatchObject({
        error: { code: 'NOT_A_PERSON', message: expect.stringContaining('only be denied') },
      });
    }
    expect(daemon.hub.approvals.queue.pending()).toHaveLength(1);
    expect(said(daemon)).toContainEqual(expect.stringContaining('Pixel 9 may only deny'));
    expect((await phone.ask('POST', `/api/approvals/${id}`, { decision: 'deny' })).status).toBe(200);
    expect((await asked)?.response.decision).toBe('deny');
  });

  test('limited to once, it grants nothing and changes no command', async () => {
    const { daemon, bash, pending, surface } = await opened();
    surface();
    const phone = await pairedDevice(daemon);
    const asked = bash('npm install left-pad');
    const id = await pending();
    for (const more of [{ scope: 'session' }, { scope: 'always' }, { input: { command: 'rm -rf ~' } }])
      expect((await phone.ask('POST', `/api/approvals/${id}`, { decision: 'allow', ...more })).status).toBe(
        403,
      );
    expect((await phone.ask('POST', `/api/approvals/${id}`, { decision: 'allow' })).status).toBe(200);
    expect((await asked)?.response.decision).toBe('allow');
  });

  test('while nobody is at the machine, it gives nothing for longer than once, whatever its limits', async () => {
    const { daemon, bash, pending, surface } = await opened();
    surface();
    const phone = await pairedDevice(daemon);
    daemon.phone.limit('Pixel 9', { only: 'any' }, 'maya');
    daemon.hub.away.begin(null, 'maya');
    const asked = bash('npm install left-pad');
    const id = await pending();
    const reply = (scope: string) => phone.ask('POST', `/api/approvals/${id}`, { decision: 'allow', scope });
    expect((await reply('always')).status).toBe(403);
    daemon.hub.away.end();
    expect((await reply('session')).status).toBe(200);
    expect((await asked)?.response.decision).toBe('allow');
  });

  test('even without limits, it only looks and answers', async () => {
    const { daemon } = await opened();
    const phone = await pairedDevice(daemon);
    daemon.phone.limit('Pixel 9', { only: 'any' }, 'maya');
    for (const path of NEVER) {
      const { status } = await phone.ask('POST', path, {}, { authorization: `Bearer ${daemon.token}` });
      expect(status, path).toBe(403);
    }
    expect(daemon.phone.status()?.url).toBe(phone.url);
    expect(daemon.phone.devices.list()).toHaveLength(1);
  });

  test('a page of another origin has no use for its cookie', async () => {
    const { daemon } = await opened();
    const phone = await pairedDevice(daemon);
    for (const origin of ['https://evil.example', 'null', phone.url.replace('https', 'http')])
      expect((await phone.ask('POST', '/api/approvals/x', {}, { origin })).status).toBe(401);
    expect(
      (await phone.ask('GET', '/api/overview', undefined, { origin: 'https://evil.example' })).status,
    ).toBe(401);
  });

  test('what it is sent is not kept, and its page may load nothing from elsewhere', async () => {
    const { daemon } = await opened();
    const phone = await pairedDevice(daemon);
    const overview = await phone.ask('GET', '/api/overview');
    expect(overview.headers['cache-control']).toBe('no-store');
    const page = await phone.ask('GET', '/');
    expect(page.text).not.toContain('Pair this device');
    expect(page.headers['content-security-policy']).toContain(
      `connect-src 'self' wss://${new URL(phone.url).host}`,
    );
  });
});

describe('certain projects', () => {
  test('it sees and answers nothing of the others', async () => {
    const { daemon, bash, shop, site, surface } = await opened();
    const phone = await pairedDevice(daemon);
    await bash('npm test', shop);
    const other = await bash('npm run secret-thing', site);
    daemon.phone.limit('Pixel 9', { projects: [shop] }, 'maya');
    surface();
    const [inShop, inSite] = [bash('npm install left-pad', shop), bash('npm install secret-pad', site)];
    await until(() => daemon.hub.approvals.queue.pending().length === 2);
    const [mine, theirs] = [shop, site].map(
      (project) => daemon.hub.approvals.queue.pending().find((one) => one.projectId === project)?.id,
    );
    for (const path of [
      '/api/overview',
      '/api/approvals',
      '/api/sessions',
      '/api/recent-sessions',
      '/api/sessions/claude/in-shop',
    ]) {
      const { status, text } = await phone.ask('GET', path);
      expect(status, path).toBe(200);
      expect(text, path).toContain('shop');
      expect(text, path).not.toMatch(/secret-|in-site/);
    }
    for (const path of ['/api/sessions/claude/in-site', `/api/events/${other?.id}`])
      expect((await phone.ask('GET', path)).status, path).toBe(404);
    for (const path of [
      'search?q=secret',
      'rules',
      'rule-hits?rule=x',
      'rule-text?rule=x',
      'grants',
      'proposals',
      'health',
    ])
      expect((await phone.ask('GET', `/api/${path}`)).status, path).toBe(403);
    for (const decision of ['deny', 'allow', 'none'])
      expect((await phone.ask('POST', `/api/approvals/${theirs}`, { decision })).status).toBe(404);
    expect((await phone.ask('POST', `/api/approvals/${mine}`, { decision: 'allow' })).status).toBe(200);
    expect((await inShop)?.response.decision).toBe('allow');
    daemon.hub.approvals.queue.withdraw(() => true, 'the test ends');
    await inSite;
  });

  test('its feed tells of them only, and only for them does anybody wait', async () => {
    const { daemon, bash, shop, site } = await opened();
    const phone = await pairedDevice(daemon);
    daemon.phone.limit('Pixel 9', { projects: [shop] }, 'maya');
    const feed = await phone.feed();
    if (typeof feed === 'number') throw new Error(`refused: ${feed}`);
    const told: string[] = [];
    feed.on('message', (text) => told.push(String(text)));
    await until(() => daemon.hub.approvals.surfaces() === 1);
    // Nobody sees it there, so the agent asks itself.
    expect((await bash('npm install secret-pad', site))?.response.decision).toBe('ask');
    const asked = bash('npm install left-pad', shop);
    await until(() => daemon.hub.approvals.queue.pending().length === 1);
    await until(() => told.some((text) => text.includes('left-pad')));
    expect(told.join()).not.toContain('secret-pad');
    // Who closes the last place on which it is seen leaves it to the agent.
    feed.terminate();
    expect((await asked)?.response.decision).toBe('ask');
  });
});

describe('a revoked device', () => {
  test('is out at once, with its feed', async () => {
    const { daemon } = await opened();
    const phone = await pairedDevice(daemon);
    const feed = await phone.feed();
    if (typeof feed === 'number') throw new Error(`refused: ${feed}`);
    const closed = new Promise((resolve) => feed.once('close', resolve));
    expect(daemon.phone.revoke('Pixel 9', 'maya')).toBe(true);
    await closed;
    expect((await phone.ask('GET', '/api/overview')).status).toBe(401);
    expect((await phone.ask('GET', '/')).text).toContain('Pair this device');
    expect(await phone.feed()).toBe(401);
    expect(said(daemon)).toContain('maya revoked the device Pixel 9.');
  });

  test('also where another process has revoked it', async () => {
    const { daemon, paths } = await opened();
    const phone = await pairedDevice(daemon);
    const feed = await phone.feed();
    if (typeof feed === 'number') throw new Error(`refused: ${feed}`);
    const closed = new Promise((resolve) => feed.once('close', resolve));
    openDevices(paths.devices).revoke('Pixel 9');
    expect((await phone.ask('GET', '/api/overview')).status).toBe(401);
    await closed;
  });

  test('leaves by itself when it logs out', async () => {
    const { daemon } = await opened();
    const phone = await pairedDevice(daemon);
    expect((await phone.ask('POST', '/api/logout', {})).status).toBe(200);
    expect(daemon.phone.devices.list()).toEqual([]);
  });
});

describe('the listener', () => {
  test('is switched on and off, which the settings keep', async () => {
    const { daemon, paths } = await opened('http: {port: 0}\n# mine\nphone: {port: 0}\n');
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
    expect(said(daemon)).toEqual([
      `maya opened the dashboard to paired devices at ${status.url}.`,
      expect.stringContaining('maya paired the device Pixel 9'),
      'maya closed the dashboard to other devices.',
    ]);
  });

  test('where it cannot listen, it says why, and goes on as before', async () => {
    const { daemon, paths } = await opened();
    const { url } = daemon.phone.status() ?? {};
    await expect(daemon.phone.switchOn({ address: '192.0.2.77' }, 'maya')).rejects.toThrow(
      'does not have the address 192.0.2.77',
    );
    expect(readConfig(paths.config).phone.address).toBe(ADDRESS);
    expect(daemon.phone.status()?.url).toMatch(/^https:\/\/127\.0\.0\.2:/);
    expect(url).toBeDefined();
  });

  test('a network that is not there at the start is an alert, and no reason not to start', async () => {
    const { daemon } = await opened('http: {port: 0}\nphone: {address: 192.0.2.77, port: 0}\n');
    expect(daemon.phone.status()).toMatchObject({
      url: null,
      problem: expect.stringContaining('192.0.2.77'),
    });
    expect(daemon.hub.alerts.list()).toMatchObject([{ code: 'phone-not-listening', level: 'problem' }]);
  });

  test('shows the certificate of the user, and is reached by its name', async () => {
    const folder = scratchFolder();
    const authority = issueAuthority('Mine', { networks: [], names: ['box.example'] }, Date.now());
    const own = issueServerCertificate(authority, ['box.example'], Date.now());
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, own.certificate);
    writeFileSync(key, own.key);
    const { daemon } = await opened(
      `http: {port: 0}\nphone: {address: ${ADDRESS}, port: 0, cert: ${cert}, key: ${key}}\n`,
    );
    expect(daemon.phone.status()).toMatchObject({
      url: expect.stringMatching(/^https:\/\/box\.example:\d+$/),
      authorityFile: null,
    });
  });

  test('a key that is not the certificate’s is named', async () => {
    const folder = scratchFolder();
    const authority = issueAuthority('Mine', { networks: [], names: ['box.example'] }, Date.now());
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, issueServerCertificate(authority, ['box.example'], Date.now()).certificate);
    writeFileSync(key, authority.key);
    const { daemon } = await opened(
      `http: {port: 0}\nphone: {address: ${ADDRESS}, port: 0, cert: ${cert}, key: ${key}}\n`,
    );
    expect(daemon.phone.status()?.problem).toContain('the key is for another certificate');
  });
});
