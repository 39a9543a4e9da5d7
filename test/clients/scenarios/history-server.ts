import { describe, expect } from 'vitest';
import type { Client } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import type { Block } from '../../../src/sandbox/script.ts';
import { play, testWith } from '../scene.ts';

/** An agent looks up what happened before; `ask` is how its model calls a tool of the server "hookline". */
export function looksThingsUp(
  client: Client,
  ask: (tool: string, input: Readonly<Record<string, unknown>>) => Block,
): void {
  const it = testWith(client);
  describe(`${client.id} asks the history server`, () => {
    it('started by one command, and gets what an earlier turn did', async () => {
      const script = [
        [client.shell('echo plum-orchard')],
        'Noted.',
        [ask('search', { query: 'orchard' })],
        'I have looked it up.',
      ];
      const rules =
        "rules:\n  - { id: lookups, tool: mcp__hookline__search, allow: 'part of the scenario' }\n";
      await play(client, { script, rules }, async ({ turn, hookline, model }) => {
        await hookline.run(['mcp', '--add', client.id], { env: client.scripted(model).env });
        await turn('Say it.', { trustShell: true });
        const finished = await turn('What did I say?', { trustShell: true, resume: true });
        expect(finished.code, describeFinished(finished)).toBe(0);
        const [answer = ''] = model.results(3);
        expect(answer).toContain('echo plum-orchard');
        // Some clients hand the text on as JSON in JSON, or as JSON of their own layout.
        expect(answer).toMatch(/\\*"kind\\*": ?\\*"command\\*"/);
        await hookline.run(['mcp', '--remove', client.id], { env: client.scripted(model).env });
      });
    });
  });
}
