import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import type { Client } from '../client.ts';
import { told } from '../process.ts';
import type { Sandbox } from '../sandbox.ts';
import { play, testWith } from '../scene.ts';
import type { Block } from '../script.ts';

const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));

/** How this client is given a server, and how its model asks one. */
export interface ServerUse {
  /** Where the client looks for servers, and in which form. */
  settings(server: { command: string; args: readonly string[]; env: Record<string, string> }): {
    readonly file: string;
    readonly text: string;
  };
  ask(tool: string, input: Readonly<Record<string, unknown>>): Block;
}

/** An agent looks up what happened before. */
export function looksThingsUp(client: Client, use: ServerUse): void {
  const it = testWith(client);
  describe(`${client.id} asks the history server`, () => {
    it('and is told what an earlier turn did', async () => {
      const script = [
        [client.shell('echo plum-orchard')],
        'Noted.',
        [use.ask('search', { query: 'orchard' })],
        'I have looked it up.',
      ];
      const prepare = async (sandbox: Sandbox) => {
        const env = { HOOKLINE_HOME: sandbox.hooklineHome, HOME: sandbox.home, PATH: process.env.PATH ?? '' };
        const { file, text } = use.settings({ command: process.execPath, args: [BIN, 'mcp'], env });
        const path = join(sandbox.project, file);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      };
      const rules =
        "rules:\n  - { id: lookups, tool: mcp__hookline__search, allow: 'part of the scenario' }\n";
      await play(client, { script, prepare, rules }, async ({ turn, model }) => {
        await turn('Say it.', { trustShell: true });
        const finished = await turn('What did I say?', { trustShell: true, resume: true });
        expect(finished.code, told(finished)).toBe(0);
        const [answer = ''] = model.results(3);
        expect(answer).toContain('echo plum-orchard');
        // Some clients hand the text on as JSON in JSON.
        expect(answer).toMatch(/\\*"kind\\*": \\*"command\\*"/);
      });
    });
  });
}
