import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished, type TestAPI, test } from 'vitest';
import { chromiumProgram } from './program.ts';

/** For tests that need something else, too. */
export const hasBrowser: boolean = chromiumProgram !== null;

/** `test`, skipped without a browser. */
export const testInBrowser: ReturnType<TestAPI['skipIf']> = test.skipIf(chromiumProgram === null);

let shared: Promise<Browser> | null = null;

/** One browser per test file; every page has a separate context. */
export function openBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** A separate browser with other options. */
export function launchBrowser(...options: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumProgram ?? '',
    // In a container the browser can't use its sandbox.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...options],
  });
}

export async function closeBrowser(): Promise<void> {
  await (await shared)?.close();
  shared = null;
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** A page that is not logged in. Errors and refused loads on it are kept. */
export async function openPage(options: PageOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const browser = await openBrowser();
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
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

/** When nothing on the page is still being loaded. */
export async function loaded(page: Page): Promise<void> {
  // Not by a function in the page, which the page's policy does not let us make.
  await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
}
