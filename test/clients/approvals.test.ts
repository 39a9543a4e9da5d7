import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import claude from '../../src/agents/claude/client.ts';
import codex from '../../src/agents/codex/client.ts';
import gemini from '../../src/agents/gemini/client.ts';
import type { Client } from '../../src/sandbox/client.ts';
import { hasTmux } from '../programs.ts';
import { openTerminal } from '../tui/terminal.ts';
import { pendingApprovals } from './pending.ts';
import { areInstalled, playTogether, type SharedScene } from './scene.ts';

const BIN = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url));
const clients = [claude, gemini, codex];
const rules = `
  rules:
    - id: ask-touch
      command: touch
      ask: A person has to look at this.
`;

const made = ({ sandbox }: SharedScene, file: string) => existsSync(join(sandbox.project, file));
const touching = (file: (client: Client) => string) =>
  new Map(clients.map((client) => [client, [[client.shell(`touch ${file(client)}`)], 'Done.']] as const));

describe.skipIf(!areInstalled(...clients))('three real clients at once, each waiting on a permission', () => {
  test.skipIf(!hasTmux)('are answered from the terminal UI and the command line', async () => {
    await playTogether({ rules, scripts: touching((client) => `${client.id}.txt`) }, async (scene) => {
      const { sandbox, hookline, turn } = scene;
      const env = { ...scene.env, HOME: sandbox.home, HOOKLINE_HOME: sandbox.hooklineHome, LANG: 'C.UTF-8' };
      const terminal = openTerminal({ columns: 120, rows: 40 }, `${process.execPath} ${BIN} watch`, env);
      try {
        await terminal.shows(/^ Hookline +no pending approvals/);
        const turns = clients.map((client) => turn(client, 'Make a file.', { trustShell: true }));
        const waiting = await pendingApprovals(sandbox, 3);
        expect(new Set(waiting.map(({ source }) => source))).toEqual(new Set(['claude', 'gemini', 'codex']));
        await terminal.shows('3 pending');

        const [onScreen, allowed, denied] = waiting;
        await hookline.run(['approve', allowed?.id ?? '']);
        await hookline.run(['deny', denied?.id ?? '', '-m', 'Not this one.']);
        await terminal.shows('1 pending');
        await terminal.shows('[a] Allow once');
        terminal.press('a');
        await Promise.all(turns);

        expect(made(scene, `${onScreen?.source}.txt`)).toBe(true);
        expect(made(scene, `${allowed?.source}.txt`)).toBe(true);
        expect(made(scene, `${denied?.source}.txt`)).toBe(false);
        const refused = clients.find(({ id }) => id === denied?.source) ?? claude;
        expect(scene.model(refused).results(1)).toEqual([expect.stringContaining('Not this one.')]);
      } finally {
        terminal.close();
      }
    });
  });

  test.skipIf(!hasTmux)('are answered at 80 × 24, two identical requests with one key', async () => {
    const scripts = touching((client) => (client === gemini ? 'other.txt' : 'shared.txt'));
    await playTogether({ rules, scripts }, async (scene) => {
      const { sandbox, turn } = scene;
      const env = { ...scene.env, HOME: sandbox.home, HOOKLINE_HOME: sandbox.hooklineHome, LANG: 'C.UTF-8' };
      const terminal = openTerminal({ columns: 80, rows: 24 }, `${process.execPath} ${BIN} watch`, env);
      try {
        await terminal.shows(/^ Hookline +no pending approvals/);
        const turns = clients.map((client) => turn(client, 'Make a file.', { trustShell: true }));
        await pendingApprovals(sandbox, 3);
        const queue = await terminal.shows(/3 pending[\s\S]*×2 2 sessions/);
        expect(queue.split('\n').filter((line) => /^[▌▏]/.test(line))).toHaveLength(2);

        // The one with the least time left is open, whichever that is.
        const open = await terminal.shows(/\[a\] Allow/);
        if (!open.includes('Allow all 2')) terminal.press('j');
        const both = await terminal.shows('[a] Allow all 2');
        expect(both).toContain('$ touch shared.txt');
        expect(both).toMatch(/From {2}.*CC .*CX |From {2}.*CX .*CC /);
        terminal.press('a');
        await terminal.shows('1 pending');
        const last = await terminal.shows('[a] Allow once');
        expect(last).toContain('$ touch other.txt');
        expect(last).toContain('Your prompt  Make a file.');
        terminal.press('d');
        await terminal.shows('Deny with message:');
        terminal.paste('Not this one.\nUse shared.txt.');
        await terminal.shows('Use shared.txt.▏');
        terminal.press('Enter');
        await Promise.all(turns);

        expect(made(scene, 'shared.txt')).toBe(true);
        expect(made(scene, 'other.txt')).toBe(false);
        expect(scene.model(gemini).results(1)).toEqual([
          expect.stringMatching(/Not this one\.(?:\n|\\n)Use shared\.txt\./),
        ]);
        for (const client of [claude, codex]) expect(scene.model(client).results(1)).toHaveLength(1);
        await terminal.shows('no pending approvals');
      } finally {
        terminal.close();
      }
    });
  });

  test('a grant made on one agent applies to the next agents', async () => {
    const prepare = ({ hooklineHome }: { readonly hooklineHome: string }) =>
      writeFile(join(hooklineHome, 'config.yaml'), 'approvals: {hold: always}\nhttp: {port: 0}\n');
    await playTogether({ rules, prepare, scripts: touching(() => 'shared.txt') }, async (scene) => {
      const { hookline, turn } = scene;
      const first = turn(claude, 'Make a file.', { trustShell: true });
      const [card] = await pendingApprovals(scene.sandbox, 1);
      await hookline.run(['approve', card?.id ?? '', '--scope', 'project']);
      await first;
      expect(made(scene, 'shared.txt')).toBe(true);
      for (const client of [gemini, codex]) await turn(client, 'Make a file.', { trustShell: true });
      const events = await hookline.events();
      const asked = events.filter(({ type, tool }) => type === 'before_tool' && tool?.name === 'Bash');
      expect(asked.map(({ source, response }) => [source, response.decision])).toEqual([
        ['claude', 'allow'],
        ['gemini', 'allow'],
        ['codex', 'allow'],
      ]);
      for (const client of [gemini, codex]) expect(scene.model(client).results(1)).toHaveLength(1);
    });
  });
});
