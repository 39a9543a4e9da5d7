import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, expect, vi } from 'vitest';
import { scratchHome, startDaemon, until } from '../../src/daemon/testing.ts';
import { listEvents } from '../../src/store/queries.ts';
import { closeBrowser, loaded, openPage, testInBrowser } from './chromium.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 30_000 });
afterAll(closeBrowser);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const Report = v.object({
  violations: v.array(
    v.object({ id: v.string(), nodes: v.array(v.object({ html: v.string(), failureSummary: v.string() })) }),
  ),
  passes: v.array(v.unknown()),
});

/** Run outside of the page's own world, where the page's policy does not hold. */
async function violations(page: Page): Promise<unknown[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
  await evaluate(`${axe};0`);
  const { result } = await evaluate('axe.run(document).then((r) => JSON.stringify(r))');
  const report = v.parse(v.pipe(v.string(), v.parseJson(), Report), result.value);
  expect(report.passes.length).toBeGreaterThan(10);
  return report.violations.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }));
}

testInBrowser.each([
  ['light', { dark: false }],
  ['dark', { dark: true }],
  ['on a phone', { width: 360, height: 740 }],
] as const)('axe finds nothing on any place, %s', async (_, options) => {
  const paths = scratchHome();
  writeFileSync(
    join(paths.rules, 'a.yaml'),
    'rules:\n  - { id: no-touch, command: touch, deny: No. }\n  - { id: install, command: npm install, ask: Wanted? }\n',
  );
  const daemon = await startDaemon(paths);
  const { page } = await openPage(options);
  await page.goto(`${daemon.info.http}/`);
  await page.getByText('hookline open').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto(daemon.dashboardLink());
  await until(() => daemon.hub.approvals.surfaces() === 1);
  const call = (tool: string, input: object, event = 'PreToolUse') =>
    daemon.hub.call({
      id: `call-${tool}-${event}`,
      receivedAt: Date.now(),
      agent: 'claude',
      event: null,
      env: {},
      payload: { session_id: 's1', cwd: '/', hook_event_name: event, tool_name: tool, tool_input: input },
    });
  await call('Bash', { command: 'touch x' });
  await call('Edit', { file_path: '/a.css', old_string: 'red', new_string: 'blue' });
  const options2 = [{ label: 'A', description: 'a' }];
  const asked = [
    call('Bash', { command: 'npm install x' }, 'PermissionRequest'),
    call(
      'AskUserQuestion',
      { questions: [{ question: 'Which?', header: 'W', options: options2 }] },
      'PermissionRequest',
    ),
  ];
  await expect.poll(() => page.locator('[data-item]').count()).toBe(2);
  const first = listEvents(daemon.home.db)[0];
  const places = [
    '/',
    '/sessions',
    '/session/claude/s1',
    `/event/${first?.id}`,
    '/search',
    '/rules/rule/no-touch',
    '/rules/new',
    '/rules/grants',
    '/rules/learned',
    '/health',
  ];
  const found: Record<string, unknown> = {};
  for (const place of places) {
    await page.evaluate(`window.location.hash = ${JSON.stringify(place)}`);
    await page.locator('main h1, main h2').first().waitFor();
    if (place.startsWith('/session/')) await page.locator('[data-call]').first().click();
    if (place === '/search') await page.locator('[data-search]').fill('touch');
    await loaded(page);
    const bad = await violations(page);
    if (bad.length > 0) found[place] = bad;
  }
  await page.evaluate("window.location.hash = '/'");
  for (const [at, item] of (await page.locator('[data-item]').all()).entries()) {
    await item.click();
    await page.locator('[data-more]').click();
    const bad = await violations(page);
    if (bad.length > 0) found[`card ${at}`] = bad;
  }
  await page.getByRole('button', { name: 'Keys' }).click();
  const inHelp = await violations(page);
  if (inHelp.length > 0) found.help = inHelp;
  expect(found).toEqual({});
  await page.close();
  await Promise.all(asked);
});
