import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import codex from '../../../src/agents/codex/client.ts';
import type { Block } from '../../../src/sandbox/script.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(codex);

const patch = (...lines: string[]): Block => ({
  tool: 'apply_patch',
  input: { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
});

describe('a patch of codex', () => {
  it('is one call with all its files, and runs without a decision', async () => {
    const script = [[patch('*** Add File: a.txt', '+a', '*** Delete File: b.txt')], 'Done.'];
    const prepare = async ({ project }: { project: string }) => writeFile(join(project, 'b.txt'), 'b\n');
    await play(codex, { script, prepare }, async ({ turn, hookline, sandbox }) => {
      await turn('Patch.');
      expect(await readFile(join(sandbox.project, 'a.txt'), 'utf8')).toBe('a\n');
      expect(existsSync(join(sandbox.project, 'b.txt'))).toBe(false);
      const tools = (await hookline.events()).flatMap((event) => (event.tool ? [event] : []));
      expect(tools.map((event) => event.type)).toEqual(['before_tool', 'after_tool']);
      expect(tools[1]?.tool).toMatchObject({ name: 'Edit', outcome: 'ok' });
    });
  });

  it('is denied by the path of any of its files', async () => {
    const rules = `
      rules:
        - writes: "**/.env"
          deny: Secrets are not for you.
    `;
    const script = [[patch('*** Add File: a.txt', '+a', '*** Add File: .env', '+KEY=1')], 'Then not.'];
    await play(codex, { rules, script }, async ({ turn, hookline, model, sandbox }) => {
      await turn('Patch.');
      expect(model.results(1)).toEqual([expect.stringContaining('Secrets are not for you.')]);
      expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
      expect(existsSync(join(sandbox.project, '.env'))).toBe(false);
      expect((await hookline.events()).some((event) => event.type === 'after_tool')).toBe(false);
    });
  });

  it('is denied by the name of the tool', async () => {
    const rules = `
      rules:
        - tool: Edit
          deny: Nothing is edited today.
    `;
    const script = [[patch('*** Add File: a.txt', '+a')], 'Then not.'];
    await play(codex, { rules, script }, async ({ turn, model, sandbox }) => {
      await turn('Patch.');
      expect(model.results(1)).toEqual([expect.stringContaining('Nothing is edited today.')]);
      expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
    });
  });
});
