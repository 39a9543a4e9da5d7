import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { machineOf } from '../../src/fleet/machine.ts';
import { writeReport } from '../../src/fleet/machines/report.ts';
import { openMachinesBucket } from '../../src/fleet/server/buckets.ts';
import { machineSigner } from '../../src/store/chain/machine-key.ts';
import { scratchHome, startDaemon, until } from '../support/daemon/daemon.ts';
import { runBash, startMachine } from '../support/fleet/approvals.ts';
import { openTestSession, startServer, testSettings, testWithServer } from '../support/fleet/nats.ts';
import { craftedRecord } from '../support/fleet/records.ts';
import { axeViolations } from './axe.ts';
import { closeBrowser, hasBrowser, openPage, type PageOptions } from './chromium.ts';

afterAll(closeBrowser);

const test = hasBrowser ? testWithServer : testWithServer.skip;

const EVIL = '<img src=x onerror="document.title=1">\x1b[2J';
const agent = (id: string, setUp: boolean, problems: string[] = []) => ({
  id,
  installed: true,
  version: '1.2.3',
  setUp,
  problems,
});

/** A machine of which there is nothing but a key and what it says. */
async function openTalker(server: Awaited<ReturnType<typeof startServer>>) {
  const settings = testSettings(server);
  const session = await openTestSession(settings);
  const bucket = await openMachinesBucket(session, settings);
  return async (name: string, command: string) => {
    const signer = machineSigner(scratchHome(), () => {});
    const machine = machineOf(signer.publicKey(), name);
    await writeReport(bucket, machine, signer, {
      name,
      groups: ['web'],
      hookline: '0.1.0',
      at: new Date(Date.now() - 10 * 60_000).toISOString(),
      policy: { trusts: true, version: 3, refused: { version: 4, why: 'its tests fail' } },
      agents: [
        agent('claude', true),
        agent('codex', false),
        agent('gemini', true, ['The hook was taken out.']),
      ],
      waiting: 12,
    });
    const columns = {
      decision: 'deny',
      timestamp: Date.now(),
      response: JSON.stringify({ decision: 'deny', reason: 'No.' }),
    };
    const { subject, body } = craftedRecord({ machine: machine.id, command, columns });
    await session.js.publish(subject, body);
  };
}

/** A fleet with a page on one of its machines. */
async function opened(options: PageOptions = {}) {
  const server = await startServer();
  const desk = await startMachine(server, 'desk');
  const { page, complaints } = await openPage(options);
  await page.goto(desk.daemon.dashboardLink());
  await page.getByText('Live', { exact: true }).waitFor();
  const say = await openTalker(server);
  const bash = (command: string) => runBash(desk, command);
  return { desk, page, complaints, say, bash };
}

/** Saves a picture for a manual look: `SCREENS=folder`. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.SCREENS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

test('machines, what they guard, their events, and a search', async () => {
  const { page, complaints, say, bash, desk } = await opened();
  await page.getByRole('link', { name: 'Fleet' }).click();
  await page.getByRole('heading', { name: 'Fleet test' }).waitFor();
  await say('build-7', 'rm -rf /srv');
  await bash('git status');
  const machine = page.locator('.machine', { hasText: 'build-7' });
  await machine.getByText('Codex not set up').waitFor();
  expect(await machine.textContent()).toMatch(/1 problem/);
  expect(await machine.textContent()).toMatch(/Policy rejected: its tests fail/);
  expect(await machine.textContent()).toMatch(/12 events to send/);
  await page.locator('.machine', { hasText: 'desk' }).getByText('this machine').waitFor();

  const row = (text: string) => page.locator('.fleet-rows li', { hasText: text });
  await row('rm -rf /srv').getByText('denied').waitFor();
  expect(await row('rm -rf /srv').textContent()).toContain('build-7');
  // Local events link to this machine's history; those of other machines don't.
  await row('git status').waitFor();
  expect(await row('git status').locator('a').count()).toBe(1);
  expect(await row('rm -rf /srv').locator('a').count()).toBe(0);
  await picture(page, 'fleet');

  await page.getByLabel('Find in all events').fill('SRV');
  await page.getByText(/^1 event in \d+ messages$/).waitFor();
  expect(await page.locator('.fleet-rows li').count()).toBe(1);
  await page.getByLabel('Find in all events').fill('');
  await page.getByRole('button', { name: /^desk/ }).click();
  await page.getByText(/^\d+ events? in \d+ messages$/).waitFor();
  await expect.poll(() => row('rm -rf /srv').count()).toBe(0);
  await row('git status').waitFor();
  expect(complaints).toEqual([]);

  // Who leaves the page does not look any more; the daemon ends it by itself.
  expect(desk.daemon.fleet.status()).toMatchObject({ parts: { view: { following: true } } });
});

test('shows text of other machines as plain text', async () => {
  const { page, complaints, say } = await opened();
  await page.goto(`${page.url().split('#')[0]}#/fleet`);
  await say(EVIL, EVIL);
  await page.locator('.machine', { hasText: '<img src=x' }).waitFor();
  await page.locator('.fleet-rows li', { hasText: '<img src=x' }).first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.title()).toBe('Fleet · Hookline');
  expect(complaints).toEqual([]);
});

test.each([
  ['light', { dark: false }],
  ['dark', { dark: true }],
  ['on a phone', { width: 390, height: 844 }],
] as const)('fits and has no axe problems, %s', async (name, options) => {
  const { page, say, bash } = await opened(options);
  await say('a-machine-with-a-rather-long-name-in-the-build-farm', `curl ${'x'.repeat(300)}`);
  await bash('git status');
  await page.evaluate("window.location.hash = '/fleet'");
  await page.locator('.fleet-rows li', { hasText: 'curl' }).waitFor();
  await page.locator('.machine').nth(1).waitFor();
  await picture(page, `fleet-${name.replaceAll(' ', '-')}`);
  const wider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  expect(wider).toBe(false);
  expect(await axeViolations(page)).toEqual([]);
});

test('a machine outside a fleet has no such page', async () => {
  const daemon = await startDaemon(scratchHome());
  const { page } = await openPage();
  await page.goto(daemon.dashboardLink());
  await page.getByText('Live', { exact: true }).waitFor();
  await until(() => daemon.hub.approvals.surfaces() === 1);
  expect(await page.getByRole('link', { name: 'Fleet' }).count()).toBe(0);
  await page.evaluate("window.location.hash = '/fleet'");
  await page.getByText('This machine is not in a fleet.').waitFor();
});
