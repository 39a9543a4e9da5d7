import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import { openGrants } from '../../src/approvals/grant-file.ts';
import { countEvents, findEvent } from '../../src/store/read/queries.ts';
import { scratchHome, startDaemon, until } from '../support/daemon/daemon.ts';
import { closeBrowser, openPage, type PageOptions, testInBrowser } from './chromium.ts';

afterAll(closeBrowser);

const RULES = `rules:
  - { id: no-touch, command: touch, deny: Do not touch. }
  - { id: ask-install, command: npm install, ask: Is this one wanted? }
`;

/** A daemon with a page logged in on it, and a way to be an agent. */
async function opened(options: PageOptions = {}) {
  const paths = scratchHome();
  writeFileSync(join(paths.rules, 'a.yaml'), RULES);
  const daemon = await startDaemon(paths);
  const { page, complaints } = await openPage(options);
  await page.goto(daemon.dashboardLink());
  await page.getByText('Live', { exact: true }).waitFor();
  await until(() => daemon.hub.approvals.surfaces() === 1);
  let calls = 0;
  const call = async (payload: Record<string, unknown>) => {
    calls += 1;
    const id = `call-${calls}`;
    const answer = await daemon.hub.call({
      id,
      receivedAt: Date.now(),
      agent: 'claude',
      event: null,
      env: {},
      payload: { session_id: 's1', cwd: '/', permission_mode: 'default', ...payload },
    });
    return { id, answer, stored: findEvent(daemon.home.db, id) };
  };
  const bash = (command: string, event = 'PreToolUse') =>
    call({ hook_event_name: event, tool_name: 'Bash', tool_input: { command }, tool_use_id: `t${calls}` });
  return { daemon, page, complaints, call, bash, paths };
}

const card = (page: Page) => page.locator('[data-card]');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens More on the open card. */
async function more(page: Page, name: string | RegExp): Promise<void> {
  await page.locator('[data-more]').click();
  await page.locator('[data-menu]').getByRole('button', { name }).click();
}

/** Single keys do nothing to a card that has just come, so it takes more than one press. */
async function answerByKey({ page, daemon }: Awaited<ReturnType<typeof opened>>, key: string): Promise<void> {
  const press = async () => {
    if (daemon.hub.approvals.queue.pending().length > 0) await page.keyboard.press(key);
    return daemon.hub.approvals.queue.pending().length;
  };
  await expect.poll(press, { interval: 100 }).toBe(0);
}

/** Preact runs effects after a frame or 35 ms, whichever is first. Here the frame never comes, and 35 ms take longer. */
const LATE_EFFECTS = `{
  const later = window.setTimeout;
  window.requestAnimationFrame = () => 0;
  window.setTimeout = (work, ms, ...args) => later(work, ms === 35 ? 1500 : ms, ...args);
}`;

testInBrowser('a late page shows what was loaded before it', async () => {
  const daemon = await startDaemon(scratchHome());
  const { page } = await openPage();
  await page.addInitScript(LATE_EFFECTS);
  await page.goto(daemon.dashboardLink());
  await page.getByText('Live', { exact: true }).waitFor();
  expect(daemon.hub.approvals.surfaces()).toBe(1);
});

describe('answers', () => {
  testInBrowser('allow runs the call, and the card disappears from every page', async () => {
    const { page, bash, daemon, complaints } = await opened();
    const other = await openPage();
    await other.page.goto(daemon.dashboardLink());
    await other.page.getByText('Live', { exact: true }).waitFor();
    const asked = bash('npm install left-pad');
    await card(page).locator('pre', { hasText: 'npm install left-pad' }).waitFor();
    await card(other.page).waitFor();
    await button(page, 'Allow once').click();
    expect((await asked).stored?.response).toMatchObject({ decision: 'allow' });
    await card(page).waitFor({ state: 'detached' });
    await card(other.page).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  testInBrowser('deny with a message, and deny that ends the turn', async () => {
    const { page, bash } = await opened();
    const first = bash('npm install left-pad');
    await more(page, 'Deny with a message…');
    await page.getByLabel('Message to the agent').fill('Write it yourself.');
    await button(page, 'Deny with this message').click();
    expect((await first).stored?.response).toMatchObject({ decision: 'deny', reason: 'Write it yourself.' });
    const second = bash('npm install right-pad');
    await card(page).locator('pre', { hasText: 'right-pad' }).waitFor();
    await more(page, 'Deny and end the turn');
    expect((await second).stored?.response).toMatchObject({ decision: 'deny', halt: expect.any(String) });
  });

  testInBrowser('handing back by button or key makes no decision, and the agent asks itself', async () => {
    const machine = await opened();
    const { page, bash, daemon } = machine;
    for (const leave of [
      () => more(page, 'Ask in the agent instead'),
      async () => {
        await card(page).focus();
        await answerByKey(machine, 'l');
      },
    ]) {
      const asked = bash('npm install left-pad');
      await card(page).waitFor();
      await leave();
      const { answer, stored } = await asked;
      // The rule wanted a person to be asked, and now the agent does that.
      expect(answer).toMatchObject({
        stdout_json: { hookSpecificOutput: { permissionDecision: 'ask' } },
      });
      expect(stored?.response.decision).toBe('ask');
      await card(page).waitFor({ state: 'detached' });
    }
    expect(daemon.hub.approvals.queue.pending()).toEqual([]);
  });

  testInBrowser('edit, then allow', async () => {
    const { page, bash } = await opened();
    const asked = bash('npm install left-pad');
    await more(page, 'Edit it, then allow…');
    await page.getByLabel('Edited command').fill('npm ls left-pad');
    await button(page, 'Allow edited').click();
    expect((await asked).stored?.response).toMatchObject({
      decision: 'allow',
      modifyArgs: { command: 'npm ls left-pad' },
    });
  });

  testInBrowser('grants for a project and revokes the grant', async () => {
    const { page, bash, paths } = await opened();
    const asked = bash('npm install left-pad');
    await more(page, /^In project/);
    await asked;
    expect((await bash('npm install left-pad')).stored?.response.decision).toBe('allow');
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByRole('link', { name: 'Grants' }).click();
    await page.locator('.grant code', { hasText: /^npm install left-pad$/ }).waitFor();
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText('No grants.').waitFor();
    expect(openGrants(paths.grants).list()).toEqual([]);
  });

  testInBrowser('the same request of two sessions is one entry with one answer', async () => {
    const { page, call, daemon } = await opened();
    const ask = (session: string) =>
      call({
        session_id: session,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'npm install left-pad', description: `For ${session}` },
        tool_use_id: session,
      });
    const asked = [ask('s1'), ask('s2'), ask('s3')];
    await until(() => daemon.hub.approvals.queue.pending().length === 3);
    await button(page, 'Allow all 3').waitFor();
    expect(await page.locator('[data-item]').count()).toBe(1);
    await card(page).getByRole('checkbox').last().uncheck();
    await button(page, 'Allow all 2').click();
    await until(() => daemon.hub.approvals.queue.pending().length === 1);
    // Approvals that were left out are still pending.
    await button(page, 'Deny').click();
    const decisions = (await Promise.all(asked)).map(({ stored }) => stored?.response.decision);
    expect(decisions.sort()).toEqual(['allow', 'allow', 'deny']);
  });

  testInBrowser('a card shows where and why, and marks the words that the rule matched', async () => {
    const { page, call, bash } = await opened();
    await call({ hook_event_name: 'UserPromptSubmit', prompt: 'Pad the names.' });
    const asked = bash('cd api && npm install left-pad');
    await card(page).getByText('Pad the names.').waitFor();
    await card(page).getByText('Is this one wanted?').waitFor();
    expect(await card(page).locator('.c-met').allTextContents()).toEqual(['npm', ' ', 'install']);
    expect(await button(page, 'Allow once').getAttribute('class')).toContain('primary');
    await button(page, 'Deny').click();
    await asked;
  });

  testInBrowser('a destructive call has two equal buttons', async () => {
    const { page, call } = await opened();
    const asked = call({
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf dist' },
    });
    await card(page).waitFor();
    for (const name of ['Allow once', 'Deny'])
      expect(await button(page, name).getAttribute('class')).not.toContain('primary');
    await button(page, 'Deny').click();
    await asked;
  });

  testInBrowser('edits arguments as text, not as JSON', async () => {
    const { page, call } = await opened();
    const asked = call({
      hook_event_name: 'PermissionRequest',
      tool_name: 'Write',
      tool_input: { file_path: '/a.md', content: 'one\ntwo "three"' },
    });
    await more(page, 'Edit it, then allow…');
    const content = page.getByLabel('content');
    expect(await content.inputValue()).toBe('one\ntwo "three"');
    await content.fill('four\nfive');
    await button(page, 'Allow edited').click();
    expect((await asked).stored?.response).toMatchObject({ modifyArgs: { content: 'four\nfive' } });
  });

  testInBrowser('answers a question by choice', async () => {
    const { page, call } = await opened();
    const questions = [
      {
        question: 'Which store?',
        header: 'Store',
        options: [
          { label: 'Postgres', description: 'large' },
          { label: 'SQLite', description: 'small' },
        ],
        multiSelect: false,
      },
    ];
    const asked = call({
      hook_event_name: 'PermissionRequest',
      tool_name: 'AskUserQuestion',
      tool_input: { questions },
    });
    await expect.poll(() => button(page, 'Send answer').isDisabled()).toBe(true);
    await page.getByLabel('SQLite').check();
    await button(page, 'Send answer').click();
    expect(JSON.stringify((await asked).answer)).toContain('"answers":{"Which store?":"SQLite"}');
  });

  testInBrowser('shows a plan and approves it', async () => {
    const { page, call } = await opened();
    const asked = call({
      hook_event_name: 'PermissionRequest',
      tool_name: 'ExitPlanMode',
      tool_input: { plan: '# First this\n\nThen that.' },
    });
    await card(page).getByText('Then that.').waitFor();
    await button(page, 'Approve plan').click();
    expect((await asked).stored?.response.decision).toBe('allow');
  });

  testInBrowser('closing the last page leaves no process or approval behind', async () => {
    const { page, bash } = await opened();
    const asked = bash('npm install left-pad');
    await card(page).waitFor();
    await page.close();
    expect((await asked).stored?.opinions.at(-1)?.by).toContain('the dashboard and terminal UI were closed');
  });

  testInBrowser('the keyboard alone is enough', async () => {
    const machine = await opened();
    const { page, bash } = machine;
    const first = bash('npm install left-pad');
    await card(page).waitFor();
    await page.keyboard.press('j');
    await answerByKey(machine, 'a');
    expect((await first).stored?.response.decision).toBe('allow');
    const second = bash('npm install right-pad');
    await card(page).locator('pre', { hasText: 'right-pad' }).waitFor();
    // Without single keys: from the place of the card, by Tab to the button, and Enter.
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      if (/^Deny\b/.test(String(await page.evaluate('document.activeElement.textContent')))) break;
    }
    await page.keyboard.press('Enter');
    expect((await second).stored?.response.decision).toBe('deny');
    await page.keyboard.press('/');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    // The following keys are text: `g` does not navigate.
    await page.keyboard.type('right-pad g');
    expect(await page.locator('[data-search]').inputValue()).toBe('right-pad g');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.getByRole('heading', { name: 'No pending approvals' }).waitFor();
  });
});

describe('displayed data', () => {
  testInBrowser('events as they come, sessions by turn, and reasons', async () => {
    const { page, call, bash, complaints } = await opened();
    await call({ hook_event_name: 'UserPromptSubmit', prompt: 'Make it blue.' });
    await bash('touch x');
    const edit = { file_path: '/a.css', old_string: 'color: red', new_string: 'color: blue' };
    await call({ hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: edit, tool_use_id: 'e1' });
    await page.locator('.rows').getByText('touch x').waitFor();
    await page.locator('.lane-label', { hasText: 'Make it blue.' }).click();
    await page.getByRole('heading', { level: 1, name: 'Make it blue.' }).waitFor();
    await page.locator('[data-call]', { hasText: 'touch x' }).click();
    await page.locator('.verdict', { hasText: 'Do not touch.' }).waitFor();
    await page.locator('[data-call]', { hasText: 'a.css' }).click();
    await page.locator('.diff-line.added', { hasText: 'color: blue' }).waitFor();
    await page.locator('[data-next-denial]').click();
    await page.locator('.panel').getByRole('link', { name: 'no-touch' }).click();
    await page.locator('.rule[aria-current]', { hasText: 'no-touch' }).waitFor();
    await page.locator('.drawer').getByText('touch x').waitFor();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.locator('[data-search]').fill('blue');
    await page.locator('.found').getByText('Make it').first().waitFor();
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText(/p50; p95/).waitFor();
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByRole('link', { name: 'Make it blue.' }).waitFor();
    expect(complaints).toEqual([]);
  });

  testInBrowser('what happens while the page loads is shown exactly once', async () => {
    const { daemon, page, bash } = await opened();
    let more = true;
    const working = (async () => {
      while (more) {
        await bash('ls');
        // A call alone would leave the daemon no time for the page.
        await pause(3);
      }
    })();
    for (let times = 0; times < 3; times += 1) {
      await page.reload();
      await page.locator('[data-total]').waitFor();
    }
    await until(() => countEvents(daemon.home.db) > 20);
    more = false;
    await working;
    const stored = countEvents(daemon.home.db);
    const shown = page.locator('[data-total]');
    await expect.poll(() => shown.textContent()).toBe(stored.toLocaleString('en'));
  });

  testInBrowser('shows pending changes and applies them', async () => {
    const { page, daemon, paths, complaints } = await opened();
    writeFileSync(paths.config, 'http: {port: 0}\ndisabledRules: [no-touch]\n');
    await page.getByText('1 change to config.yaml weakens protection and needs your confirmation').waitFor();
    await button(page, 'Show changes').click();
    await page.getByText('config.yaml: disabledRules: no-touch added').waitFor();
    await page.locator('.diff-line.added').waitFor();
    expect(daemon.home.config.disabledRules).toEqual([]);
    await button(page, 'Apply these changes').click();
    await page.getByText('needs your confirmation').waitFor({ state: 'detached' });
    expect(daemon.home.config.disabledRules).toEqual(['no-touch']);
    expect(complaints).toEqual([]);
  });

  testInBrowser('a page reconnects to its daemon', async () => {
    const { page, daemon, paths } = await opened();
    await daemon.stop();
    await page.getByText('Not connected').waitFor();
    writeFileSync(paths.config, `http: {port: ${new URL(daemon.info.http).port}}\n`);
    const next = await startDaemon(paths);
    onTestFinished(() => next.stop());
    // Passes live as long as the daemon that gave them.
    await page.getByText('hookline open').waitFor();
  });

  testInBrowser('fits on a phone', async () => {
    const { page, bash } = await opened({ width: 360, height: 740 });
    const asked = bash('npm install a-package-with-quite-a-long-name another-package-with-a-long-name');
    await card(page).waitFor();
    const tooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    expect(tooWide).toBe(false);
    const box = await button(page, 'Allow once').boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box && box.y + box.height).toBeLessThan(740);
    await button(page, 'Allow once').click();
    await asked;
  });
});

describe('rules', () => {
  testInBrowser('checks a rule while it is typed, tries it on the history, and saves it', async () => {
    const { page, bash, complaints } = await opened();
    await bash('make all');
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByRole('link', { name: 'New rule' }).click();
    const text = page.getByLabel('Rule text', { exact: true });
    await text.fill('id: no-make\ncomand: make\ndeny: Not so.\n');
    await page.getByText('did you mean command?').waitFor();
    expect(await button(page, 'Save rule').isDisabled()).toBe(true);
    await text.fill('id: no-make\ncommand: make\ndeny: Not so.\n');
    await page.getByText('1 of 1 call', { exact: true }).waitFor();
    await button(page, 'Save rule').click();
    await page.locator('.rule[aria-current]', { hasText: 'no-make' }).waitFor();
    expect((await bash('make all')).stored?.response.decision).toBe('deny');
    expect(complaints).toEqual([]);
  });

  testInBrowser('switching a pack applies at once', async () => {
    const { page, bash, complaints } = await opened();
    await page.getByRole('link', { name: 'Rules' }).click();
    const pack = page.getByRole('group', { name: 'Pack git' });
    await pack.getByText('Observe').click();
    await page.getByText('git is in observe mode from the next call on.').waitFor();
    expect((await bash('git push --force origin main')).stored?.response.decision).toBe('none');
    const fixed = page.getByRole('group', { name: 'Pack self-protection' });
    expect(await fixed.getByLabel('Off').isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
  });
});
