import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import gemini from '../../../src/agents/gemini/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import { play, testWith } from '../scene.ts';
import { extensionFolder, readText, settingsFile } from './settings.ts';

const it = testWith(gemini);

const rules = `
  rules:
    - command: touch
      deny: Files are made by hand here.
`;
const script = [[gemini.shell('touch forbidden.txt')], 'Then not.'];

describe('setup of gemini', () => {
  it('installs an extension, and remove deletes all of it', async () => {
    await play(gemini, { script: ['Hello.'] }, async ({ turn, hookline, sandbox }) => {
      const settings = await readText(settingsFile(sandbox));
      expect(existsSync(join(extensionFolder(sandbox), 'gemini-extension.json'))).toBe(true);
      await turn('Hello?');
      expect(await hookline.events()).not.toEqual([]);
      const seen = (await hookline.events()).length;

      await hookline.run(['remove', 'gemini', '--yes']);
      expect(existsSync(extensionFolder(sandbox))).toBe(false);
      expect(await readText(settingsFile(sandbox))).toBe(settings);
      await turn('Hello again?');
      expect(await hookline.events()).toHaveLength(seen);
    });
  });

  it.each(['user', 'project'])('writes to the settings of the %s on request', async (scope) => {
    await play(gemini, { rules, script }, async ({ turn, hookline, sandbox, model }) => {
      await hookline.run(['remove', 'gemini', '--yes']);
      await hookline.run(['setup', 'gemini', '--scope', scope, '--yes']);
      await turn('Make a file.', { trustShell: true });
      expect(model.results(1)).toEqual([expect.stringContaining('Files are made by hand here.')]);
      await hookline.run(['remove', 'gemini', '--scope', scope, '--yes']);
      expect(await readText(settingsFile(sandbox))).not.toContain('hookline');
      expect(await readdir(sandbox.project)).not.toContain('.gemini');
    });
  });
});

describe('an untrusted directory', () => {
  // Headless the client would end there with 55. Told to skip the question it drops the hooks of the project, as it
  // drops all hooks from settings in a terminal: an extension is what stays.
  const env = { GEMINI_CLI_TRUST_WORKSPACE: '' };

  it('is still guarded', async () => {
    await play(gemini, { rules, script, env }, async ({ turn, hookline, sandbox, model }) => {
      expect((await turn('Make a file.', { trustShell: true })).code).toBe(55);
      const finished = await turn('Make a file.', { trustShell: true, skipTrust: true });
      expect(model.results(1), describeFinished(finished)).toEqual([
        expect.stringContaining('Files are made by hand here.'),
      ]);
      expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);

      await hookline.run(['remove', 'gemini', '--yes']);
      await hookline.run(['setup', 'gemini', '--scope', 'project', '--yes']);
      await turn('Make a file.', { trustShell: true, skipTrust: true });
      expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(true);
    });
  });
});
