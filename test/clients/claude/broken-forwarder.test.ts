import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import type { Scene } from '../../../src/live/scene.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(claude);

describe('claude without its forwarder', () => {
  const script = [[claude.shell('touch unguarded.txt')], 'Done.'];
  const turnWithout = async ({ turn, sandbox }: Scene) => {
    await rm(join(sandbox.hooklineHome, 'bin', 'hookline-forward'));
    await turn('Make a file.', { trustShell: true });
    return existsSync(join(sandbox.project, 'unguarded.txt'));
  };

  it('goes on with its own rules', async () => {
    await play(claude, { script }, async (scene) => {
      expect(await turnWithout(scene)).toBe(true);
    });
  });

  it('runs no tool if failures are closed', async () => {
    const prepare = (sandbox: Scene['sandbox']) =>
      writeFile(join(sandbox.hooklineHome, 'config.yaml'), 'failure: closed\n');
    await play(claude, { script, prepare }, async (scene) => {
      expect(await turnWithout(scene)).toBe(false);
    });
  });
});
