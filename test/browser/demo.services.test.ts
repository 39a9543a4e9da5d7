import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { hasTmux } from '../programs.ts';
import { until } from '../support/daemon/daemon.ts';
import { scratchFolder } from '../support/scratch.ts';
import { openTerminal } from '../tui/terminal.ts';
import { closeBrowser, openBrowser, openPage, testInBrowser } from './chromium.ts';

afterAll(closeBrowser);

const BIN = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url));

/** A machine with Node and nothing else on it. */
function bareMachine() {
  const folder = scratchFolder();
  return { folder, env: { PATH: dirname(process.execPath), HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' } };
}

testInBrowser('a newcomer sees three agents at work and answers one', async () => {
  const { folder, env } = bareMachine();
  // Starting a browser doesn't count as waiting.
  await openBrowser();
  const { page, complaints } = await openPage();
  const demo = spawn(process.execPath, [BIN, 'demo', '--stay'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void demo.kill('SIGKILL'));
  let said = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (chunk) => (said += chunk));
  await until(() => /dashboard +http/.test(said));
  await page.goto(/dashboard +(\S+)/.exec(said)?.[1] ?? '');
  await expect.poll(() => page.locator('.lane-label').count()).toBe(3);
  await page.getByRole('button', { name: 'Allow once', exact: true }).click();
  await page.getByText('Just answered').waitFor();

  expect(said).toMatch(/allowed by \S+ \(dashboard\)/);
  const ended = new Promise((resolve) => demo.on('exit', resolve));
  demo.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  expect(complaints.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text))).toEqual([]);
});

test.skipIf(!hasTmux)(
  'shows the watch screen in a terminal: keys answer, and q leaves nothing behind',
  async () => {
    const { folder, env } = bareMachine();
    const terminal = openTerminal(
      { columns: 140, rows: 45 },
      `${process.execPath} ${BIN} demo; echo code=$?; sleep 60`,
      env,
    );
    onTestFinished(() => terminal.close());
    await terminal.shows('npm install wcag-contrast');
    await terminal.shows('3 pending');
    terminal.press('a');
    await terminal.shows('2 pending');
    terminal.press('q');
    await terminal.shows('code=0');
    expect(
      existsSync(folder) && readdirSync(folder).filter((name) => name.startsWith('hookline-demo-')),
    ).toEqual([]);
  },
);
