import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, describe, expect } from 'vitest';
import { closeBrowser, openPage, testInBrowser } from '../browser/chromium.ts';
import { hasTmux } from '../tui/terminal.ts';
import { claude } from './claude/client.ts';
import { withTerminal } from './claude/terminal.ts';
import { codex } from './codex/client.ts';
import { gemini } from './gemini/client.ts';
import type { Hookline } from './hookline.ts';
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
async function dashboard(hookline: Hookline): Promise<Page> {
  const { stdout } = await hookline.run(['open', '--json']);
  const { page } = await openPage();
  await page.goto(v.parse(Link, JSON.parse(stdout)).url);
  await page.getByText('live', { exact: true }).waitFor();
  return page;
}

const card = (page: Page, text: string) => page.locator('[data-card]', { hasText: text });

describe.skipIf(!areInstalled(...clients))('from the dashboard in a real browser', () => {
  testInBrowser('three real clients at once are answered', async () => {
    const scripts = new Map(
      clients.map((client) => [client, [[client.shell(`touch ${client.id}.txt`)], 'Done.']] as const),
    );
    await playTogether({ rules, scripts }, async ({ hookline, turn, sandbox, model }) => {
      const page = await dashboard(hookline);
      const other = await dashboard(hookline);
      const turns = clients.map((client) => turn(client, 'Make a file.', { trustShell: true }));
      await expect.poll(() => page.locator('[data-card]').count(), { timeout: 90_000 }).toBe(3);

      await card(page, 'touch claude.txt').getByRole('button', { name: 'Allow', exact: true }).click();
      const refused = card(page, 'touch gemini.txt');
      await refused.getByPlaceholder('Message to the agent').fill('Not this one.');
      await refused.getByRole('button', { name: 'Deny', exact: true }).click();
      const edited = card(page, 'touch codex.txt');
      await edited.getByRole('button', { name: 'Edit…' }).click();
      await edited.getByLabel('Run this instead').fill('touch edited.txt');
      await edited.getByRole('button', { name: 'Allow edited' }).click();
      await expect.poll(() => page.locator('[data-card]').count()).toBe(0);
      await expect.poll(() => other.locator('[data-card]').count()).toBe(0);
      await Promise.all(turns);

      const made = ['claude', 'gemini', 'codex', 'edited'].filter((name) =>
        existsSync(join(sandbox.project, `${name}.txt`)),
      );
      expect(made).toEqual(['claude', 'edited']);
      expect(model(gemini).results(1)).toEqual([expect.stringContaining('Not this one.')]);
    });
  });
});

describe.skipIf(!areInstalled(claude) || !hasTmux)('from the dashboard in a real browser', () => {
  testInBrowser('a question of an interactive session is answered', async () => {
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
