import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import gemini from '../../../src/agents/gemini/client.ts';
import type { Scene } from '../../../src/live/scene.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(gemini);

describe('effects of gemini beyond the common ones', () => {
  it('context is delivered if possible, otherwise with the next event that can carry it', async () => {
    const rules = `
      rules:
        - on: session_start
          context: Said at the start.
        - on: before_agent
          context: Said with the prompt.
        - on: before_model
          context: Said before the model.
        - on: after_tool
          context: Said after the tool.
    `;
    const script = [[gemini.shell('echo hello')], 'Done.'];
    await play(gemini, { rules, script }, async ({ turn, model, hookline }) => {
      await turn('Say hello.', { trustShell: true });
      expect(model.told(0)).toContain('Said at the start.');
      expect(model.told(0)).toContain('Said with the prompt.');
      expect(model.told(0)).not.toContain('Said before the model.');
      expect(model.results(1)).toEqual([expect.stringContaining('Said after the tool.')]);
      expect(model.results(1)).toEqual([expect.stringContaining('Said before the model.')]);
      const late = (await hookline.events()).find(({ type }) => type === 'before_model');
      expect(late?.degraded).toEqual([expect.objectContaining({ effect: 'context' })]);
    });
  });

  it('halt: the tool does not run, and the turn ends', async () => {
    const rules = `
      rules:
        - command: touch
          halt: Enough for today.
    `;
    const script = [[gemini.shell('touch forbidden.txt')]];
    await play(gemini, { rules, script }, async ({ turn, sandbox, hookline }) => {
      const finished = await turn('Make a file.', { trustShell: true });
      expect(finished.code, describeFinished(finished)).toBe(0);
      expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);
      expect((await hookline.events()).map(({ type }) => type)).not.toContain('after_agent');
    });
  });

  it('replaced output: the model sees only the replacement', async () => {
    const rules = `
      rules:
        - on: after_tool
          command: printf
          deny: "The output was: ***"
    `;
    const script = [[gemini.shell('printf hunt%s er2')], 'I see.'];
    await play(gemini, { rules, script }, async ({ turn, model }) => {
      await turn('Say it.', { trustShell: true });
      expect(model.results(1)).toEqual([expect.stringContaining('The output was: ***')]);
      expect(model.results(1).join()).not.toContain('hunter2');
    });
  });

  it('ask in an unattended run: denied with its reason and recorded', async () => {
    const rules = `
      rules:
        - command: touch
          ask: A person has to look at this.
    `;
    const script = [[gemini.shell('touch unasked.txt')], 'Then not.'];
    await play(gemini, { rules, script }, async ({ turn, hookline, sandbox }) => {
      const finished = await turn('Make a file.', { trustShell: true });
      expect(finished.stdout, describeFinished(finished)).toContain('Then not.');
      expect(existsSync(join(sandbox.project, 'unasked.txt'))).toBe(false);
      const events = await hookline.events();
      expect(events.find(({ type }) => type === 'before_tool')?.degraded).toEqual([
        expect.objectContaining({ effect: 'ask' }),
      ]);
      expect(events.at(-1)?.type).toBe('session_end');
    });
  });

  it('a check for compaction does not count as one', async () => {
    const script = [[gemini.shell('echo one')], 'Done.'];
    await play(gemini, { script }, async ({ turn, hookline }) => {
      await turn('Go.', { trustShell: true });
      const types = (await hookline.events()).map(({ type }) => type);
      expect(types).toContain('pre_compact');
      expect(types).not.toContain('post_compact');
      expect(types).not.toContain('after_model');
    });
  });
});

describe('gemini without its forwarder', () => {
  const script = [[gemini.shell('touch unguarded.txt')], 'Done.'];
  const turnWithout = async ({ turn, sandbox }: Scene) => {
    await rm(join(sandbox.hooklineHome, 'bin', 'hookline-forward'));
    await turn('Make a file.', { trustShell: true });
    return existsSync(join(sandbox.project, 'unguarded.txt'));
  };

  it('goes on with its own rules', async () => {
    await play(gemini, { script }, async (scene) => {
      expect(await turnWithout(scene)).toBe(true);
    });
  });

  it('runs no tool if failures are closed', async () => {
    const prepare = ({ hooklineHome }: Scene['sandbox']) =>
      writeFile(join(hooklineHome, 'config.yaml'), 'failure: closed\n');
    await play(gemini, { script, prepare }, async (scene) => {
      expect(await turnWithout(scene)).toBe(false);
    });
  });
});
