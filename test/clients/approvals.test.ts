import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hasTmux, openTerminal } from '../tui/terminal.ts';
import { claude } from './claude/client.ts';
import type { Client } from './client.ts';
import { codex } from './codex/client.ts';
import { gemini } from './gemini/client.ts';
import { areInstalled, playTogether, type SharedScene } from './scene.ts';

const BIN = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url));
const clients = [claude, gemini, codex];
const rules = `
  rules:
    - id: ask-touch
      command: touch
      ask: A person has to look at this.
`;

interface Card {
  readonly id: string;
  readonly source: string;
}

async function cards(scene: SharedScene, count: number): Promise<readonly Card[]> {
  for (const deadline = Date.now() + 90_000; ; await pause(100)) {
    const { stdout } = await scene.hookline.run(['approvals', '--json']);
    const seen: Card[] = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    if (seen.length === count) return seen;
    if (Date.now() > deadline) throw new Error(`${count} cards were expected, there are ${stdout || 'none'}`);
  }
}

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
        await terminal.shows(/^hookline +nothing waiting/);
        const turns = clients.map((client) => turn(client, 'Make a file.', { trustShell: true }));
        const waiting = await cards(scene, 3);
        expect(new Set(waiting.map(({ source }) => source))).toEqual(new Set(['claude', 'gemini', 'codex']));
        await terminal.shows('3 waiting');

        const [onScreen, allowed, denied] = waiting;
        await hookline.run(['approve', allowed?.id ?? '']);
        await hookline.run(['deny', denied?.id ?? '', '-m', 'Not this one.']);
        await terminal.shows('1 waiting');
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

  test('a grant made on one agent lets the next agents pass without asking', async () => {
    const prepare = ({ hooklineHome }: { readonly hooklineHome: string }) =>
      writeFile(join(hooklineHome, 'config.yaml'), 'approvals: {hold: always}\nhttp: {port: 0}\n');
    await playTogether({ rules, prepare, scripts: touching(() => 'shared.txt') }, async (scene) => {
      const { hookline, turn } = scene;
      const first = turn(claude, 'Make a file.', { trustShell: true });
      const [card] = await cards(scene, 1);
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
