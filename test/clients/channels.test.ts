import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import claude from '../../src/agents/claude/client.ts';
import codex from '../../src/agents/codex/client.ts';
import gemini from '../../src/agents/gemini/client.ts';
import type { Client } from '../../src/sandbox/client.ts';
import { type NtfyMessage, type NtfyServer, startNtfy } from '../support/notify/ntfy.ts';
import { areInstalled, playTogether } from './scene.ts';

const clients = [claude, gemini, codex];
const TOPIC = 'cards-8d2f61b07ae94c35';
const REPLIES = 'replies-8d2f61b07ae94c35';
const rules = `
  rules:
    - id: ask-touch
      command: touch
      ask: A person has to look at this.
`;

/** One card of each client, by its id. */
async function cardsOf(ntfy: NtfyServer): Promise<ReadonlyMap<string, NtfyMessage>> {
  for (const deadline = Date.now() + 90_000; ; await pause(100)) {
    const messages = ntfy.messages(TOPIC);
    if (messages.length === 3) return new Map(messages.map((one) => [one.title.split(' ')[0] ?? '', one]));
    if (Date.now() > deadline) throw new Error(`3 cards were expected, there are ${messages.length}`);
  }
}

describe.skipIf(!areInstalled(...clients))('three real clients wait in away mode', () => {
  test('notification buttons allow one and deny two', async () => {
    const ntfy = await startNtfy();
    const scripts = new Map(
      clients.map((client: Client) => [client, [[client.shell(`touch ${client.id}.txt`)], 'Done.']] as const),
    );
    const config = `http: {port: 0}\nnotify: {ntfy: {server: '${ntfy.url}', topic: ${TOPIC}, replyTopic: ${REPLIES}}}\n`;
    const prepare = ({ hooklineHome }: { readonly hooklineHome: string }) =>
      writeFile(join(hooklineHome, 'config.yaml'), config);
    try {
      await playTogether({ rules, prepare, scripts }, async (scene) => {
        const { hookline, sandbox, turn } = scene;
        await hookline.run(['away', '--for', '2h']);
        const turns = clients.map((client) => turn(client, 'Make a file.', { trustShell: true }));
        const cards = await cardsOf(ntfy);
        expect([...cards.keys()].sort()).toEqual(['claude', 'codex', 'gemini']);
        for (const [id, card] of cards) expect(card.message).toContain(`$ touch ${id}.txt`);

        const press = async (id: string, label: string) => {
          const card = cards.get(id);
          expect(card && (await ntfy.press(card, label))).toBe(200);
        };
        await press('gemini', 'Allow once');
        await press('claude', 'Deny');
        await press('codex', 'Deny');
        // Pressed once more: it changes nothing.
        await press('codex', 'Allow once');
        await Promise.all(turns);

        const made = clients.map(({ id }) => [id, existsSync(join(sandbox.project, `${id}.txt`))]);
        expect(made).toEqual([
          ['claude', false],
          ['gemini', true],
          ['codex', false],
        ]);
        const { stdout: all } = await hookline.run(['approvals', '--all', '--json']);
        const ended = all
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
          .map(({ source, state, settledBy, answer }) => [source, state, settledBy, answer.scope]);
        expect(ended.sort()).toEqual(
          [
            ['claude', 'denied'],
            ['codex', 'denied'],
            ['gemini', 'allowed'],
          ].map(([source, state]) => [source, state, expect.stringMatching(/^\S+ \(ntfy\)$/), 'once']),
        );
        const { stdout } = await hookline.run(['back', '--json']);
        expect(JSON.parse(stdout)).toMatchObject({
          wasAway: true,
          summary: { calls: 3, deniedCalls: 2, answered: [{}, {}, {}], expired: [], refused: 1 },
        });
      });
    } finally {
      await ntfy.close();
    }
  });
});
