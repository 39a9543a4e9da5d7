import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import type { Client } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { play, programOf, testWith } from '../scene.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface OwnInstall {
  /** The client's commands, as a user types them; ROOT is this repository. */
  readonly commands: readonly (readonly string[])[];
  /** What the user answers to its questions. */
  readonly answers?: string;
}

const NOWHERE = 'http://127.0.0.1:9';

const rules = `
  rules:
    - command: touch
      deny: Files are made by hand here.
`;

/** The client installs its plugin or extension of ours by itself. */
export function testOwnInstall(client: Client, { commands, answers }: OwnInstall): void {
  const it = testWith(client);
  const install = async (sandbox: Sandbox) => {
    for (const command of commands) {
      const args = command.map((word) => word.replace('ROOT', ROOT.replace(/\/$/, '')));
      const finished = await sandbox.run(programOf(client) ?? '', args, {
        // What the client's own installer wants from the network is not ours to judge: it gets nothing.
        env: { HTTPS_PROXY: NOWHERE, https_proxy: NOWHERE },
        input: answers ?? '',
        deadlineMs: 60_000,
      });
      expect(finished.code, describeFinished(finished)).toBe(0);
    }
  };

  describe(`${client.id} with Hookline from its own installer`, () => {
    it('denies once, records once, and denies without the forwarder if failures are closed', async () => {
      const script = [[client.shell('touch forbidden.txt')], 'Then not.'];
      await play(client, { rules, script, prepare: install }, async (scene) => {
        const { turn, hookline, sandbox, model } = scene;
        const again = await hookline.run(['setup', client.id, '--yes']);
        expect(again.stdout).toContain('Already set up through the');
        const doctor = await hookline.run(['doctor', '--json']);
        expect(doctor.stdout).not.toContain('set-up-twice');

        const finished = await turn('Make a file.', { trustShell: true });
        expect(model.results(1), describeFinished(finished)).toEqual([
          expect.stringContaining('Files are made by hand here.'),
        ]);
        const calls = (await hookline.events()).filter(({ type }) => type === 'before_tool');
        expect(calls.map(({ response }) => response.decision)).toEqual(['deny']);

        await rm(join(sandbox.hooklineHome, 'bin', 'hookline-forward'));
        await writeFile(join(sandbox.hooklineHome, 'bin', 'fail-closed.json'), '{}');
        await turn('Make a file.', { trustShell: true });
        expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);
        await rm(join(sandbox.hooklineHome, 'bin', 'fail-closed.json'));
        await turn('Make a file.', { trustShell: true });
        expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(true);
      });
    });
  });
}
