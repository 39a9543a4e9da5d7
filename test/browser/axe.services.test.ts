import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { listEvents } from '../../src/store/read/queries.ts';
import { scratchHome, startDaemon, until } from '../support/daemon/daemon.ts';
import { axeViolations } from './axe.ts';
import { closeBrowser, loaded, openPage, testInBrowser } from './chromium.ts';

afterAll(closeBrowser);

testInBrowser.each([
  ['light', { dark: false }],
  ['dark', { dark: true }],
  ['on a phone', { width: 360, height: 740 }],
] as const)('axe finds no problems in any view, %s', async (_, options) => {
  const paths = scratchHome();
  writeFileSync(
    join(paths.rules, 'a.yaml'),
    'rules:\n  - { id: no-touch, command: touch, deny: No. }\n  - { id: install, command: npm install, ask: Wanted? }\n',
  );
  const daemon = await startDaemon(paths);
  const { page } = await openPage(options);
  await page.goto(`${daemon.info.http}/`);
  await page.getByText('hookline open').waitFor();
  expect(await axeViolations(page)).toEqual([]);
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
    const bad = await axeViolations(page);
    if (bad.length > 0) found[place] = bad;
  }
  await page.evaluate("window.location.hash = '/'");
  for (const [at, item] of (await page.locator('[data-item]').all()).entries()) {
    await item.click();
    await page.locator('[data-more]').click();
    const bad = await axeViolations(page);
    if (bad.length > 0) found[`card ${at}`] = bad;
  }
  await page.getByRole('button', { name: 'Keys' }).click();
  const inHelp = await axeViolations(page);
  if (inHelp.length > 0) found.help = inHelp;
  expect(found).toEqual({});
  await page.close();
  await Promise.all(asked);
});
