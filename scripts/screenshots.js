// Takes the pictures in docs/images from the demo, in a real browser: `node scripts/screenshots.js`.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}/docs/images`;
mkdirSync(folder, { recursive: true });

const demo = spawn(process.execPath, [`${root}/bin/hookline.js`, 'demo', '--stay'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const link = await new Promise((resolve, reject) => {
  let text = '';
  demo.stdout.on('data', (chunk) => {
    text += chunk;
    const found = /dashboard +(\S+)/.exec(text)?.[1];
    if (found) resolve(found);
  });
  demo.on('exit', () => reject(new Error(`the demo ended: ${text}`)));
});

const browser = await chromium.launch({
  executablePath: process.env.HOOKLINE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
const shoot = (name) => page.screenshot({ path: `${folder}/${name}.png` });
const visit = async (place) => {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, place);
  await page.waitForTimeout(900);
};
try {
  await page.goto(link);
  // Three agents wait, each on something else.
  await page.waitForFunction(() => document.querySelectorAll('[data-card]').length === 3);
  await page.waitForTimeout(2_000);
  await shoot('dashboard-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(500);
  await shoot('dashboard-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(500);
  await shoot('approvals-phone');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1360, height: 860 });

  // Answer everything, and look at what became of it.
  const patience = Date.now() + 60_000;
  while (Date.now() < patience) {
    const question = page.locator('[data-card] .option').first();
    if (await question.count()) {
      await question.click();
      await page.getByRole('button', { name: 'Send answer' }).click();
    } else if (await page.getByRole('button', { name: 'Allow', exact: true }).count()) {
      await page.getByRole('combobox').first().selectOption('project');
      await page.getByRole('button', { name: 'Allow', exact: true }).first().click();
    } else if ((await page.getByText('session_end').count()) === 3) break;
    await page.waitForTimeout(300);
  }
  await page.locator('.lane-label', { hasText: 'cart' }).click();
  await page.locator('summary', { hasText: 'Edit' }).click();
  await page.waitForTimeout(700);
  await shoot('session');
  await visit('/rules');
  await page.getByLabel('only those with hits').check();
  await shoot('rules');
  await visit('/grants');
  await shoot('grants');
  await visit('/health');
  await shoot('health');
  await visit('/search');
  await page.locator('[data-search]').fill('coupon');
  await page.waitForTimeout(1_200);
  await shoot('search');
} finally {
  await browser.close();
  demo.kill('SIGINT');
}
