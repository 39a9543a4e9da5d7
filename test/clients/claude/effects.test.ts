import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(claude);

describe('effects of claude beyond the common ones', () => {
  it('halt with deny: the tool does not run and the turn ends', async () => {
    const rules = `
      rules:
        - command: touch
          deny: Files are made by hand here.
          halt: Enough for today.
    `;
    const script = [[claude.shell('touch forbidden.txt')]];
    await play(claude, { rules, script }, async ({ turn, sandbox }) => {
      const finished = await turn('Make a file.', { trustShell: true });
      expect(JSON.parse(finished.stdout), describeFinished(finished)).toMatchObject({
        terminal_reason: 'hook_stopped',
      });
      expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);
    });
  });

  it('halt alone: the tool runs, the turn ends, and the difference is recorded', async () => {
    const rules = `
      rules:
        - command: touch
          halt: Enough for today.
    `;
    const script = [[claude.shell('touch last.txt')]];
    await play(claude, { rules, script }, async ({ turn, hookline, sandbox }) => {
      const finished = await turn('Make a file.', { trustShell: true });
      expect(JSON.parse(finished.stdout), describeFinished(finished)).toMatchObject({
        terminal_reason: 'hook_stopped',
      });
      expect(existsSync(join(sandbox.project, 'last.txt'))).toBe(true);
      const before = (await hookline.events()).find((event) => event.type === 'before_tool');
      expect(before?.degraded).toEqual([expect.objectContaining({ effect: 'halt' })]);
    });
  });

  it('deny after the call: the tool has run and the model gets the reason', async () => {
    const rules = `
      rules:
        - on: after_tool
          command: touch
          deny: That file should not be there.
    `;
    const script = [[claude.shell('touch done.txt')], 'I see.'];
    await play(claude, { rules, script }, async ({ turn, model, sandbox }) => {
      await turn('Make a file.', { trustShell: true });
      expect(existsSync(join(sandbox.project, 'done.txt'))).toBe(true);
      expect(model.told(1)).toContain('That file should not be there.');
    });
  });

  it('context of an event that cannot carry it comes with the next one that can', async () => {
    const rules = `
      rules:
        - on: permission_request
          command: touch
          allow: true
          context: This permission was given by a rule.
        - on: stop
          context: The turn before ended at noon.
    `;
    const script = [[claude.shell('touch granted.txt')], 'Done.', 'And again.'];
    await play(claude, { rules, script }, async ({ turn, hookline, model }) => {
      await turn('Make a file.');
      expect(model.told(1)).toContain('This permission was given by a rule.');
      const request = (await hookline.events()).find((event) => event.type === 'permission_request');
      expect(request?.degraded).toEqual([expect.objectContaining({ effect: 'context' })]);

      await turn('Again.', { resume: true });
      expect(model.told(2)).toContain('The turn before ended at noon.');
    });
  });
});
