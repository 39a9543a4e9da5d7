// The dashboard in Chromium.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const program = process.env.HOOKLINE_CHROMIUM ?? '/usr/bin/chromium';

/** Why there is no browser here; null where there is one. */
export const missingBrowser = existsSync(program) ? null : 'no Chromium (name one in HOOKLINE_CHROMIUM)';

export function launchBrowser() {
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** From the click on the link until events are on the screen. */
export async function usefulPaint(browser, home) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { url } = JSON.parse(home.hookline('open', '--json', '--as-script'));
  const start = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('.lane-label').first().waitFor();
  const took = performance.now() - start;
  await context.close();
  return took;
}
