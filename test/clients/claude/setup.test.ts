import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import { play, testWith } from '../scene.ts';
import { commandsOn, readSettings, settingsFile, writeSettings } from './settings.ts';

const it = testWith(claude);

describe('setup of claude', () => {
  it('keeps the hooks of others working, and remove restores the file', async () => {
    // Odd spacing, no newline at the end: what a person wrote stays as that person wrote it.
    const mine =
      '{\n   "model":"opus",\n\t"hooks": {"PreToolUse":[ {"matcher":"Bash", "hooks":[{"type":"command","command":"echo seen >> seen.txt"}]} ]}}';
    const script = [[claude.shell('echo hello')], 'Done.'];
    await play(
      claude,
      { script, prepare: (sandbox) => writeSettings(sandbox, mine) },
      async ({ turn, hookline, sandbox }) => {
        expect(commandsOn(await readSettings(sandbox), 'PreToolUse')).toHaveLength(2);
        await turn('Say hello.', { trustShell: true });
        expect(await readFile(join(sandbox.project, 'seen.txt'), 'utf8')).toBe('seen\n');
        expect((await hookline.events()).map((event) => event.type)).toContain('before_tool');

        await hookline.run(['setup', 'claude', '--yes']);
        expect(commandsOn(await readSettings(sandbox), 'PreToolUse')).toHaveLength(2);
        await hookline.run(['remove', 'claude', '--yes']);
        expect(await readSettings(sandbox)).toBe(mine);
      },
    );
  });

  it('creates a missing file, and remove deletes it', async () => {
    await play(claude, { script: ['Hello.'] }, async ({ turn, hookline, sandbox }) => {
      expect(commandsOn(await readSettings(sandbox), 'PreToolUse')).toHaveLength(1);
      await hookline.run(['remove', 'claude', '--yes']);
      expect(existsSync(settingsFile(sandbox))).toBe(false);
      await turn('Hello?');
      expect(await hookline.events()).toEqual([]);
    });
  });
});
