import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import copilot from '../../../src/agents/copilot/client.ts';
import { patchToCreate } from '../../../src/agents/kit/patch.ts';
import type { Block } from '../../../src/sandbox/script.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(copilot);
const create = (path: string): Block => ({
  tool: 'apply_patch',
  input: { patch: `${patchToCreate(path, 'hello')}\n` },
});

describe('effects that only copilot has', () => {
  it('evaluates a patch by its files, and denies it instead of rewriting it', async () => {
    const rules = `
      rules:
        - id: no-secrets
          writes: "**/secret.txt"
          deny: Secrets are not written here.
        - id: no-twos
          writes: "**/two.txt"
          rewrite: { command: echo no }
    `;
    const script = [[create('secret.txt')], [create('two.txt')], [create('fine.txt')], 'Done.'];
    await play(copilot, { rules, script }, async ({ turn, hookline, model, sandbox }) => {
      await turn('Write.', { trustShell: true });
      expect(model.results(1)).toEqual([expect.stringContaining('Secrets are not written here.')]);
      // What cannot be said is refused, and on record.
      expect(model.results(2)).toEqual([expect.stringContaining('have to change')]);
      const made = ['secret.txt', 'two.txt', 'fine.txt'].map((name) =>
        existsSync(join(sandbox.project, name)),
      );
      expect(made).toEqual([false, false, true]);
      const before = (await hookline.events()).filter(({ type }) => type === 'before_tool');
      expect(before.map(({ degraded }) => degraded.map(({ effect }) => effect))).toEqual([
        [],
        ['rewrite'],
        [],
      ]);
    });
  });

  it("a subagent works in its parent's session and gets its parent's denials", async () => {
    const rules = `
      rules:
        - command: touch
          deny: Files are made by hand here.
    `;
    const task = { agent_type: 'explore', name: 'job', description: 'job', prompt: 'Make it.', mode: 'sync' };
    // Both conversations are played by the same steps; the subagent has no such tool.
    const script = [[{ tool: 'task', input: task }, copilot.shell('touch made.txt')], 'Not made.'];
    await play(copilot, { rules, script }, async ({ turn, hookline, sandbox }) => {
      await turn('Have it made.', { trustShell: true });
      const events = await hookline.events();
      expect(new Set(events.map(({ sessionId }) => sessionId)).size).toBe(1);
      const counted = (type: string) => events.filter((event) => event.type === type).length;
      expect(['subagent_start', 'subagent_stop', 'stop', 'session_end'].map(counted)).toEqual([1, 1, 1, 1]);
      const denied = events.filter(({ response }) => response.decision === 'deny');
      expect(denied.map(({ type, tool }) => [type, tool?.name])).toEqual([
        ['before_tool', 'Bash'],
        ['before_tool', 'Bash'],
      ]);
      expect(existsSync(join(sandbox.project, 'made.txt'))).toBe(false);
    });
  });

  it("the user's own hooks stay, and move behind Hookline in their own spelling", async () => {
    const script = [[copilot.shell('touch one.txt')], 'Then not.'];
    const own = { hooks: { preToolUse: [{ type: 'command', bash: 'sh ./no-touch.sh', timeoutSec: 10 }] } };
    const answer = JSON.stringify({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Own hook says no.',
    });
    const prepare = async ({ home, project }: { readonly home: string; readonly project: string }) => {
      await mkdir(join(home, '.copilot', 'hooks'), { recursive: true });
      await writeFile(join(home, '.copilot', 'hooks', 'mine.json'), JSON.stringify(own));
      await writeFile(join(project, 'no-touch.sh'), `grep -q '"toolName":"bash"' && echo '${answer}'\n`);
    };
    await play(copilot, { script, prepare }, async ({ turn, hookline, model, sandbox }) => {
      const file = join(sandbox.home, '.copilot', 'hooks', 'mine.json');
      expect(await readFile(file, 'utf8')).toBe(JSON.stringify(own));
      await hookline.run(['import', 'copilot', '--yes']);
      expect(await readFile(file, 'utf8')).not.toContain('no-touch');
      await turn('Make a file.', { trustShell: true });
      expect(model.results(1)).toEqual([expect.stringContaining('Own hook says no.')]);
      expect(existsSync(join(sandbox.project, 'one.txt'))).toBe(false);
      const denied = (await hookline.events()).find(({ type }) => type === 'before_tool');
      expect(denied?.response.decision).toBe('deny');
      await hookline.run(['remove', 'copilot', '--yes']);
      expect(existsSync(join(sandbox.home, '.copilot', 'hooks', 'hookline.json'))).toBe(false);
    });
  });

  it('without its forwarder a call passes or is denied, by the failure mode', async () => {
    const script = [
      [copilot.shell('touch open.txt')],
      'Done.',
      [copilot.shell('touch closed.txt')],
      'Then not.',
    ];
    await play(copilot, { script }, async ({ turn, hookline, model, sandbox }) => {
      const bin = join(sandbox.hooklineHome, 'bin', 'hookline-forward');
      await rename(bin, `${bin}.gone`);
      await turn('One.', { trustShell: true });
      expect(existsSync(join(sandbox.project, 'open.txt'))).toBe(true);
      await rename(`${bin}.gone`, bin);
      await writeFile(join(sandbox.hooklineHome, 'config.yaml'), 'http: { port: 0 }\nfailure: closed\n');
      await hookline.run(['setup', 'copilot', '--yes']);
      await rename(bin, `${bin}.gone`);
      const { stderr } = await turn('Two.', { trustShell: true, resume: true });
      // Not even the prompt is sent.
      expect(stderr).toContain('set to fail closed');
      expect(model.told(2)).toBeUndefined();
      await rename(`${bin}.gone`, bin);
    });
  });
});
