import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, describe, expect } from 'vitest';
import claude from '../../src/agents/claude/client.ts';
import codex from '../../src/agents/codex/client.ts';
import gemini from '../../src/agents/gemini/client.ts';
import type { Hookline } from '../../src/live/hookline.ts';
import { closeBrowser, openPage, type PageOptions, testInBrowser } from '../browser/chromium.ts';
import { hasTmux } from '../programs.ts';
import { withTerminal } from './claude/terminal.ts';
import { areInstalled, play, playTogether } from './scene.ts';

afterAll(closeBrowser);

const clients = [claude, gemini, codex];
const rules = `
  rules:
    - id: ask-touch
      command: touch
      ask: A person has to look at this.
`;
const Link = v.object({ url: v.string() });

/** A page that came in by the link of `hookline open`. */
async function dashboard(hookline: Hookline, size: PageOptions = {}): Promise<Page> {
  const { stdout } = await hookline.run(['open', '--json']);
  const { page } = await openPage(size);
  await page.goto(v.parse(Link, JSON.parse(stdout)).url);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

/** Opens the request about a command, and one entry of its menu. */
async function choose(page: Page, command: string, entry: string): Promise<void> {
  await open(page, command);
  await page.locator('[data-more]').click();
  await page.locator('[data-menu]').getByRole('button', { name: entry }).click();
}

async function open(page: Page, command: string): Promise<void> {
  const item = page.locator('[data-item]', { hasText: command });
  if ((await item.getAttribute('aria-expanded')) !== 'true') await item.click();
  await page.locator('[data-card] pre', { hasText: command }).waitFor();
}

/** What the client that asks alone gets, and how the page says so. */
const LONERS = {
  edited: async (page: Page) => {
    await choose(page, 'touch other.txt', 'Edit it, then allow…');
    await page.getByLabel('Edited command').fill('touch edited.txt');
    await page.getByRole('button', { name: 'Allow edited' }).click();
  },
  denied: async (page: Page) => {
    await choose(page, 'touch other.txt', 'Deny with a message…');
    await page.getByLabel('Message to the agent').fill('Not this one.');
    await page.getByRole('button', { name: 'Deny with this message' }).click();
  },
};

describe.skipIf(!areInstalled(...clients))('from the dashboard in a real browser', () => {
  testInBrowser.each([
    { width: 1360, height: 860, loner: 'edited' },
    { width: 390, height: 844, loner: 'denied' },
  ] as const)(
    'answers three real clients at $width px, two of which ask the same',
    async ({ loner, ...size }) => {
      const scripts = new Map(
        clients.map((client) => {
          const file = client === gemini ? 'other.txt' : 'shared.txt';
          return [client, [[client.shell(`touch ${file}`)], 'Done.']] as const;
        }),
      );
      await playTogether({ rules, scripts }, async ({ hookline, turn, sandbox, model }) => {
        const page = await dashboard(hookline, size);
        const other = await dashboard(hookline);
        const turns = clients.map((client) => turn(client, 'Make a file.', { trustShell: true }));
        // Two entries, of which one is about two clients.
        await page.locator('[data-item]', { hasText: '2 sessions' }).waitFor({ timeout: 90_000 });
        await page.locator('[data-item]', { hasText: 'touch other.txt' }).waitFor({ timeout: 90_000 });
        expect(await page.locator('[data-item]').count()).toBe(2);

        await open(page, 'touch shared.txt');
        await page.getByRole('button', { name: 'Allow all 2' }).click();
        await LONERS[loner](page);
        await expect.poll(() => page.locator('[data-card]').count()).toBe(0);
        await expect.poll(() => other.locator('[data-card]').count()).toBe(0);
        await Promise.all(turns);

        const made = ['shared', 'other', 'edited'].filter((name) =>
          existsSync(join(sandbox.project, `${name}.txt`)),
        );
        expect(made).toEqual(loner === 'edited' ? ['shared', 'edited'] : ['shared']);
        for (const client of [claude, codex]) expect(model(client).results(1)).toHaveLength(1);
        expect(model(gemini).results(1).join().includes('Not this one.')).toBe(loner === 'denied');
      });
    },
  );
});

describe.skipIf(!areInstalled(claude) || !hasTmux)('from the dashboard in a real browser', () => {
  testInBrowser('answers a question of an interactive session', async () => {
    const options = [
      { label: 'SQLite', description: 'One file' },
      { label: 'Postgres', description: 'A server' },
    ];
    const questions = [{ question: 'Which database?', header: 'Database', options, multiSelect: false }];
    const script = [[{ tool: 'AskUserQuestion', input: { questions } }], 'Then SQLite.'];
    await play(claude, { script }, async (scene) => {
      const page = await dashboard(scene.hookline);
      await withTerminal(scene, `'Choose a database.'`, async (terminal) => {
        await page.getByLabel('SQLite').check({ timeout: 60_000 });
        await page.getByRole('button', { name: 'Send answer' }).click();
        await terminal.shows('Then SQLite.');
      });
      expect(scene.model.results(1)).toEqual([expect.stringContaining('"Which database?"="SQLite"')]);
    });
  });
});
