import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import droid from '../../../src/agents/droid/client.ts';
import type { Hookline } from '../../../src/live/hookline.ts';
import { turnOf } from '../../../src/sandbox/client.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { play, programOf, testWith } from '../scene.ts';

const it = testWith(droid);
const Shown = v.object({
  transcript: v.object({ gaps: v.array(v.looseObject({ tool: v.string(), input: v.string() })) }),
});

/** A hook in settings.json that permits everything, and writes down that it was asked. */
async function withPermissiveHook({ home }: Sandbox): Promise<void> {
  const hook = join(home, 'permit.sh');
  const answer = '{"hookSpecificOutput":{"permissionDecision":"allow"}}';
  await writeFile(hook, `#!/bin/sh\necho asked >> ${join(home, 'asked.txt')}\necho '${answer}'\n`);
  await chmod(hook, 0o755);
  const path = join(home, '.factory', 'settings.json');
  const settings = JSON.parse(await readFile(path, 'utf8'));
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: hook }] }] };
  await writeFile(path, JSON.stringify({ ...settings, hooks }));
}

async function gapsOf(hookline: Hookline): Promise<readonly string[]> {
  const [event] = await hookline.events();
  const { stdout } = await hookline.run(['show', event?.sessionId ?? '', '--json']);
  const { gaps } = v.parse(Shown, JSON.parse(stdout)).transcript;
  return gaps.map(({ tool, input }) => `${tool} ${input.slice(0, 20)}`);
}

describe('droid', () => {
  it("an allow of the user's own hook does not cancel a denial", async () => {
    const rules = 'rules: [{ command: touch, deny: Files are made by hand here. }]\n';
    const script = [[droid.shell('touch forbidden.txt')], 'Then not.'];
    await play(droid, { rules, script, prepare: withPermissiveHook }, async ({ turn, model, sandbox }) => {
      expect(existsSync(join(sandbox.home, '.factory', 'hooks.json'))).toBe(false);
      await turn('Make a file.', { trustShell: true });
      expect(model.results(1)).toEqual([expect.stringContaining('Files are made by hand here.')]);
      expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);
      expect(await readFile(join(sandbox.home, 'asked.txt'), 'utf8')).toBe('asked\n');
    });
  });

  it('continues with a prompt that is too long for a hook, and records that no hook ran', async () => {
    const rules = 'rules: [{ on: turn_start, deny: No work on Sundays. }]\n';
    await play(droid, { rules, script: ['Done.'] }, async ({ turn, hookline, model }) => {
      await turn('z'.repeat(200_000), { trustShell: true });
      expect(model.told(0)).toContain('zzzz');
      expect(await gapsOf(hookline)).toEqual([`prompt ${'z'.repeat(20)}`]);
    });
  });

  it('runs no hook for the prompt of `droid exec`, and records that', async () => {
    const rules = 'rules: [{ on: turn_start, deny: No work on Sundays. }]\n';
    await play(droid, { rules, script: ['Done.'] }, async ({ hookline, model, sandbox }) => {
      const { args, env } = turnOf(droid, 'Work.', {}, model);
      const finished = await sandbox.run(programOf(droid) ?? '', args, { env });
      expect(finished.stdout).toContain('Done.');
      expect(await gapsOf(hookline)).toEqual(['prompt Work.']);
    });
  });
});
