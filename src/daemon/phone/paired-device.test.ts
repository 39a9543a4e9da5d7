import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { until } from '../../../test/support/daemon/daemon.ts';
import { accessRecord, pairedDevice, phoneDaemon } from '../../../test/support/daemon/phone.ts';
import { toBrief } from '../../history/calls/event-brief.ts';
import { toPublicEvent } from '../../store/read/public-event.ts';

/** Requests that decide more than an answer does, or aren't for devices at all. */
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
  test('answers, and every event records the device', async () => {
    const { daemon, bash, pending } = await phoneDaemon();
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

  test('a device that may answer with a longer scope leaves its name in the grant', async () => {
    const { daemon, bash, pending, surface, paths } = await phoneDaemon();
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

  test("limited to deny, it can't allow, and the attempt is recorded", async () => {
    const { daemon, bash, pending, surface } = await phoneDaemon();
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
        error: { code: 'NOT_A_PERSON', message: expect.stringContaining('You can only deny it from here.') },
      });
    }
    expect(daemon.hub.approvals.queue.pending()).toHaveLength(1);
    expect(accessRecord(daemon)).toContainEqual(expect.stringContaining('Pixel 9 may only deny'));
    expect((await phone.ask('POST', `/api/approvals/${id}`, { decision: 'deny' })).status).toBe(200);
    expect((await asked)?.response.decision).toBe('deny');
  });

  test('limited to once, it creates no grant and changes no command', async () => {
    const { daemon, bash, pending, surface } = await phoneDaemon();
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

  test('in away mode its answers apply once, whatever its limits', async () => {
    const { daemon, bash, pending, surface } = await phoneDaemon();
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

  test('even without limits, it only reads and answers', async () => {
    const { daemon } = await phoneDaemon();
    const phone = await pairedDevice(daemon);
    daemon.phone.limit('Pixel 9', { only: 'any' }, 'maya');
    for (const path of NEVER) {
      const { status } = await phone.ask('POST', path, {}, { authorization: `Bearer ${daemon.token}` });
      expect(status, path).toBe(403);
    }
    expect(daemon.phone.status()?.url).toBe(phone.url);
    expect(daemon.phone.devices.list()).toHaveLength(1);
    // It may read the fleet like this machine's history, and change nothing. This machine is in no fleet.
    for (const path of ['coverage', 'feed', 'search?text=x'])
      expect((await phone.ask('GET', `/api/fleet/${path}`)).status, path).toBe(404);
    expect((await phone.ask('GET', '/api/fleet')).status).toBe(403);
    expect((await phone.ask('POST', '/api/fleet/reload', {})).status).toBe(403);
  });

  test("a page of another origin can't use its cookie", async () => {
    const { daemon } = await phoneDaemon();
    const phone = await pairedDevice(daemon);
    for (const origin of ['https://evil.example', 'null', phone.url.replace('https', 'http')])
      expect((await phone.ask('POST', '/api/approvals/x', {}, { origin })).status).toBe(401);
    expect(
      (await phone.ask('GET', '/api/overview', undefined, { origin: 'https://evil.example' })).status,
    ).toBe(401);
  });

  test("responses aren't cached, and its page may load nothing from elsewhere", async () => {
    const { daemon } = await phoneDaemon();
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
  test('it can neither see nor answer other projects', async () => {
    const { daemon, bash, shop, site, surface } = await phoneDaemon();
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
      'fleet/coverage',
      'fleet/feed',
      'fleet/search',
    ])
      expect((await phone.ask('GET', `/api/${path}`)).status, path).toBe(403);
    for (const decision of ['deny', 'allow', 'none'])
      expect((await phone.ask('POST', `/api/approvals/${theirs}`, { decision })).status).toBe(404);
    expect((await phone.ask('POST', `/api/approvals/${mine}`, { decision: 'allow' })).status).toBe(200);
    expect((await inShop)?.response.decision).toBe('allow');
    daemon.hub.approvals.queue.withdraw(() => true, 'the test ends');
    await inSite;
  });

  test('its feed covers only these projects, and keeps only their approvals pending', async () => {
    const { daemon, bash, shop, site } = await phoneDaemon();
    const phone = await pairedDevice(daemon);
    daemon.phone.limit('Pixel 9', { projects: [shop] }, 'maya');
    const feed = await phone.feed();
    if (typeof feed === 'number') throw new Error(`refused: ${feed}`);
    const told: string[] = [];
    feed.on('message', (text) => told.push(String(text)));
    await until(() => daemon.hub.approvals.surfaces() === 1);
    // The device doesn't see this project, so the agent asks itself.
    expect((await bash('npm install secret-pad', site))?.response.decision).toBe('ask');
    const asked = bash('npm install left-pad', shop);
    await until(() => daemon.hub.approvals.queue.pending().length === 1);
    await until(() => told.some((text) => text.includes('left-pad')));
    expect(told.join()).not.toContain('secret-pad');
    // Closing the last surface that shows it hands the approval back to the agent.
    feed.terminate();
    expect((await asked)?.response.decision).toBe('ask');
  });
});
