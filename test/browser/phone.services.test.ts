import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { until } from '../support/daemon/daemon.ts';
import { phoneDaemon } from '../support/daemon/phone.ts';
import { closeBrowser, launchBrowser, openBrowser, testInBrowser } from './chromium.ts';

afterAll(closeBrowser);

/** Another browser, as wide as a phone. It has clicked through the warning about the certificate. */
async function phonePage(): Promise<{ page: Page; complaints: string[] }> {
  const browser = await openBrowser();
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    ignoreHTTPSErrors: true,
    hasTouch: true,
    isMobile: true,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints };
}

async function paired({ daemon }: Pick<Awaited<ReturnType<typeof phoneDaemon>>, 'daemon'>, name = 'Pixel 9') {
  const phone = await phonePage();
  const surfaces = daemon.hub.approvals.surfaces();
  await phone.page.goto(daemon.phone.pair('maya').url);
  await phone.page.getByLabel('A name for it').fill(name);
  await phone.page.getByRole('button', { name: 'Pair', exact: true }).click();
  await phone.page.getByText('Live', { exact: true }).waitFor();
  await until(() => daemon.hub.approvals.surfaces() === surfaces + 1);
  return phone;
}

const card = (page: Page) => page.locator('[data-card]');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Saves a picture for a manual look: `SCREENS=folder`. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.SCREENS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
};

testInBrowser('a phone pairs by a link, answers, and stays paired after a reload', async () => {
  const machine = await phoneDaemon();
  const { daemon, bash } = machine;
  const { page, complaints } = await paired(machine);
  // Neither the code nor the key stays in the address.
  expect(page.url()).toBe(`${machine.url}/`);
  await page.getByText('Pixel 9 may allow once.').waitFor();
  const asked = bash('npm install left-pad');
  await card(page).locator('pre', { hasText: 'npm install left-pad' }).waitFor();
  await picture(page, 'phone-card');
  // Answers that it may not give are not offered.
  await page.locator('[data-more]').click();
  await page.locator('[data-menu]').getByRole('button', { name: 'Deny and end the turn' }).waitFor();
  expect(await page.getByText('Allow and remember').count()).toBe(0);
  expect(await page.getByText('Edit it, then allow…').count()).toBe(0);
  expect(await page.getByText('Create a rule from this…').count()).toBe(0);
  await button(page, 'Allow once').click();
  const stored = await asked;
  expect(stored?.response.decision).toBe('allow');
  expect(stored?.opinions).toContainEqual(
    expect.objectContaining({ by: expect.stringMatching(/^allowed by \S+ \(Pixel 9\)$/) }),
  );
  await card(page).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  expect(complaints.filter((text) => !isAboutCertificate(text))).toEqual([]);
  // Everything fits.
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(daemon.phone.devices.list()).toMatchObject([{ name: 'Pixel 9', only: 'once' }]);
});

/** A browser that does not trust a certificate says so, and keeps no worker of its pages. */
const isAboutCertificate = (text: string) => /SSL certificate error/.test(text);

testInBrowser('another browser gets the pairing page and cannot guess a code', async () => {
  const machine = await phoneDaemon();
  await paired(machine);
  const { page } = await phonePage();
  await page.goto(machine.url);
  await page.getByText('This browser is not paired.').waitFor();
  await picture(page, 'phone-unpaired');
  const ask = (path: string, init: object) =>
    page.evaluate(
      `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(async (r) => r.status + ' ' + (await r.text()))`,
    );
  const authorization = `Bearer ${machine.daemon.token}`;
  for (const init of [{}, { headers: { authorization } }, { headers: { 'x-hookline-key': 'guess' } }])
    for (const path of [
      '/api/overview',
      '/api/status',
      '/api/sessions',
      '/sw.js',
      '/index.html',
      '/login?code=x',
    ])
      expect(await ask(path, init), path).toMatch(/^401 .*not paired/);
  const post = { method: 'POST', body: '{}', headers: { authorization } };
  for (const path of [
    '/hooks/claude',
    '/api/hooks/execute',
    '/api/login-link',
    '/api/phone/pair',
    '/api/shutdown',
  ])
    expect(await ask(path, post), path).toMatch(/^401 .*not paired/);
  const socket = (protocols: readonly string[]) =>
    page.evaluate(`new Promise((done) => {
      const socket = new WebSocket(location.origin.replace('https', 'wss') + '/api/feed?surface=x', ${JSON.stringify(protocols)});
      socket.onopen = () => done('open');
      socket.onerror = () => done('refused');
    })`);
  expect(await socket([])).toBe('refused');
  expect(await socket(['hookline.guess'])).toBe('refused');
  // A used code is not a code.
  await page.goto(`${machine.url}/pair#AAAAAAAAAAAAAAAAAAAAAA`);
  await page.reload();
  await page.goto('about:blank');
  await page.goto(`${machine.url}/pair#AAAAAAAAAAAAAAAAAAAAAA`);
  await page.getByLabel('A name for it').fill('Thief');
  await picture(page, 'phone-pairing');
  await button(page, 'Pair').click();
  await page.getByText('has expired or was already used').waitFor();
  expect(machine.daemon.phone.devices.list()).toHaveLength(1);
});

testInBrowser('a revoked device is logged out at once, with an empty screen', async () => {
  const machine = await phoneDaemon();
  const { daemon, bash } = machine;
  const { page } = await paired(machine);
  const asked = bash('npm install left-pad');
  await card(page).waitFor();
  daemon.phone.revoke('Pixel 9', 'maya');
  await page.getByText('This device is not paired.').waitFor();
  expect(await page.getByText('left-pad').count()).toBe(0);
  expect(daemon.hub.approvals.surfaces()).toBe(0);
  expect((await asked)?.response.decision).toBe('ask');
  await page.reload();
  await page.getByText('This browser is not paired.').waitFor();
});

testInBrowser('a device limited to deny has no other button and no other key', async () => {
  const machine = await phoneDaemon();
  const { daemon, bash } = machine;
  const { page } = await paired(machine);
  daemon.phone.limit('Pixel 9', { only: 'deny' }, 'maya');
  await page.getByText('Pixel 9 may only deny.').waitFor();
  await until(() => daemon.hub.approvals.surfaces() === 1);
  const asked = bash('npm install left-pad');
  await card(page).waitFor();
  expect(await button(page, 'Allow once').count()).toBe(0);
  // By hand, as a page that was tampered with could.
  const id = daemon.hub.approvals.queue.pending()[0]?.id;
  const answer = await page.evaluate(`fetch('/api/approvals/${id}', {
    method: 'POST',
    headers: { 'x-hookline-key': localStorage.getItem('hookline.key'), 'content-type': 'application/json' },
    body: '{"decision":"allow"}',
  }).then((response) => response.status)`);
  expect(answer).toBe(403);
  await picture(page, 'phone-deny');
  await button(page, 'Deny').click();
  expect((await asked)?.response.decision).toBe('deny');
});

testInBrowser('rules and grants are read-only', async () => {
  const machine = await phoneDaemon();
  const { page } = await paired(machine);
  await page.getByRole('link', { name: 'Rules' }).click();
  await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor();
  await page.getByText('ask-install').first().waitFor();
  expect(await page.getByRole('link', { name: 'New rule' }).count()).toBe(0);
  expect(await page.getByRole('radio').first().isDisabled()).toBe(true);
});

/** A browser that trusts the certificate of the listener, as a phone does on which it was installed. */
async function trustingPage({ daemon }: Awaited<ReturnType<typeof phoneDaemon>>): Promise<Page> {
  const kept = JSON.parse(readFileSync(join(daemon.home.paths.phone, 'server.json'), 'utf8'));
  const key = new X509Certificate(kept.certificate).publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(key).digest('base64');
  const browser = await launchBrowser(`--ignore-certificate-errors-spki-list=${hash}`);
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await context.grantPermissions(['notifications'], { origin: daemon.phone.status()?.url ?? '' });
  return context.newPage();
}

testInBrowser('as an app, its worker caches files but no data, and notifies after a click', async () => {
  const machine = await phoneDaemon();
  const { daemon, bash } = machine;
  const page = await trustingPage(machine);
  await page.goto(daemon.phone.pair('maya').url);
  await page.getByLabel('A name for it').fill('Pixel 9');
  await button(page, 'Pair').click();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  const manifest = await page.evaluate("fetch('/manifest.webmanifest').then((r) => r.json())");
  expect(manifest).toMatchObject({ name: 'Hookline', display: 'standalone' });
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  const kept =
    'caches.keys().then((names) => Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).then((all) => all.flat())';
  await expect
    .poll(() => page.evaluate(kept))
    .toContainEqual(expect.stringMatching(/^\/assets\/index-.*\.js$/));
  for (const path of [await page.evaluate(kept)].flat())
    expect(path).toMatch(/^\/(?:assets\/[^/]+|icon[^/]*)$/);
  // A page that is in front needs no notification.
  await page.getByRole('button', { name: 'Notifications while this page is open' }).click();
  await page.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })");
  await until(() => daemon.hub.approvals.surfaces() === 1);
  const asked = bash('npm install left-pad');
  const shown =
    'navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map(({ title, body }) => title + ": " + body))';
  await expect
    .poll(() => page.evaluate(shown))
    .toEqual(['Claude Code needs approval: Bash npm install left-pad']);
  await button(page, 'Deny').click();
  await asked;
});
