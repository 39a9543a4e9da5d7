import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import codex, { settings } from '../../../src/agents/codex/client.ts';
import type { Scene } from '../../../src/live/scene.ts';
import type { Finished } from '../../../src/sandbox/process.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(codex);

/** One prompt through `hookline codex exec`, which speaks with the server over stdin and stdout. */
async function exec({ hookline, model }: Scene, prompt: string): Promise<Finished> {
  const config = settings(model.url).flatMap((setting) => ['-c', setting]);
  return await hookline.run(['codex', 'exec', ...config, prompt], { env: codex.scripted(model).env });
}

/** Leaves only the app-server to tell. */
async function withoutHooks({ hookline }: Scene): Promise<void> {
  await hookline.run(['remove', 'codex', '--yes']);
}

const rules = `
  rules:
    - { id: touch-is-fine, on: permission_request, command: touch, allow: true }
    - { id: no-removing, on: permission_request, command: rm, deny: Nothing is removed here. }
`;
const patch = '*** Begin Patch\n*** Add File: patched.txt\n+hello\n*** End Patch';

describe('codex over stdio, without hooks', () => {
  it('reports a whole turn through the app-server', async () => {
    const script = [[codex.shell('touch made.txt')], 'Done.'];
    await play(codex, { rules, script }, async (scene) => {
      await withoutHooks(scene);
      const { stdout } = await exec(scene, 'Make a file.');
      expect(stdout).toContain('Done.');
      expect(existsSync(join(scene.sandbox.project, 'made.txt'))).toBe(true);
      const events = await scene.hookline.events();
      expect(events.map(({ type }) => type).filter((type) => type !== 'notification')).toEqual([
        'session_start',
        'before_agent',
        'before_tool',
        'permission_request',
        'after_tool',
        'after_model',
        'after_model',
        'after_agent',
        'session_end',
      ]);
      const ofCall = events.filter(({ tool }) => tool);
      expect(ofCall.map(({ tool, toolNumber }) => [tool?.input.command, toolNumber])).toEqual([
        ['touch made.txt', 1],
        ['touch made.txt', 1],
        ['touch made.txt', 1],
      ]);
      expect(new Set(ofCall.map(({ tool }) => tool?.useId)).size).toBe(1);
      expect(ofCall.at(-1)?.tool?.outcome).toBe('ok');
      expect(events.find(({ type }) => type === 'before_agent')?.promptNumber).toBe(1);
    });
  });

  it('declines what a rule denies, and the turn goes on', async () => {
    const script = [[codex.shell('rm -f keep.txt')], 'Then not.'];
    await play(codex, { rules, script }, async (scene) => {
      await withoutHooks(scene);
      await exec(scene, 'Remove it.');
      expect(scene.model.results(1)).toEqual([expect.stringContaining('rejected by user')]);
      const asked = (await scene.hookline.events()).find(({ type }) => type === 'permission_request');
      expect(asked?.response).toMatchObject({
        decision: 'deny',
        reason: expect.stringMatching(/^Nothing is removed here\./),
      });
    });
  });

  it('ends the turn if a rule says so', async () => {
    const halting = `
      rules:
        - { id: stop, on: permission_request, command: rm, deny: No., halt: Enough. }
    `;
    await play(codex, { rules: halting, script: [[codex.shell('rm -f keep.txt')]] }, async (scene) => {
      await withoutHooks(scene);
      await expect(exec(scene, 'Remove it.')).rejects.toThrow('exit 1');
      expect((await scene.hookline.events()).map(({ type }) => type)).toContain('interrupt');
    });
  });

  it('declines an unanswered approval, because no other client can answer', async () => {
    const script = [[codex.shell('mkdir made'), { tool: 'apply_patch', input: { patch } }], 'Then not.'];
    await play(codex, { rules, script }, async (scene) => {
      await withoutHooks(scene);
      const { stderr } = await exec(scene, 'Make a folder.');
      expect(stderr).toContain('declined, because no rule allows it');
      expect(existsSync(join(scene.sandbox.project, 'made'))).toBe(false);
      expect(existsSync(join(scene.sandbox.project, 'patched.txt'))).toBe(false);
      const asked = (await scene.hookline.events()).filter(({ type }) => type === 'permission_request');
      expect(asked.map(({ response }) => response.decision)).toEqual(['none', 'none']);
    });
  });

  it('accepts a patch with known files', async () => {
    const editing = 'rules: [{ id: edits, on: permission_request, tool: Edit, allow: true }]';
    const script = [[{ tool: 'apply_patch', input: { patch } }], 'Done.'];
    await play(codex, { rules: editing, script }, async (scene) => {
      await withoutHooks(scene);
      await exec(scene, 'Make a file.');
      expect(await readFile(join(scene.sandbox.project, 'patched.txt'), 'utf8')).toBe('hello\n');
    });
  });

  it('stores a permanent grant in the rules of codex', async () => {
    const granting = `
      rules:
        - id: touch-for-good
          on: permission_request
          command: touch
          allow: true
          grants: [{ behavior: allow, tool: Bash, pattern: "touch:*", scope: user }]
    `;
    const script = [[codex.shell('touch one.txt')], [codex.shell('touch two.txt')], 'Done.'];
    await play(codex, { rules: granting, script }, async (scene) => {
      await withoutHooks(scene);
      await exec(scene, 'Make two files.');
      expect(existsSync(join(scene.sandbox.project, 'two.txt'))).toBe(true);
      const written = await readFile(join(scene.sandbox.home, '.codex', 'rules', 'default.rules'), 'utf8');
      expect(written).toContain('prefix_rule(pattern=["touch"], decision="allow")');
      const asked = (await scene.hookline.events()).filter(({ type }) => type === 'permission_request');
      expect(asked, 'the second is not asked about any more').toHaveLength(1);
      expect(asked[0]?.degraded).toEqual([]);
    });
  });
});

describe('codex over stdio, with hooks', () => {
  it('records a turn once, although both report it', async () => {
    const script = [[codex.shell('touch made.txt')], [codex.shell('mkdir left')], 'Done.'];
    await play(codex, { rules, script }, async (scene) => {
      await exec(scene, 'Make a file and a folder.');
      expect(existsSync(join(scene.sandbox.project, 'made.txt'))).toBe(true);
      expect(existsSync(join(scene.sandbox.project, 'left'))).toBe(false);
      const events = await scene.hookline.events();
      const times = (type: string) => events.filter((event) => event.type === type).length;
      expect(
        ['session_start', 'before_agent', 'before_tool', 'after_tool', 'session_end'].map(times),
      ).toEqual([1, 1, 2, 2, 1]);
      expect(['stop', 'after_agent'].map(times), 'the end of the turn, by the hook').toEqual([1, 0]);
      const calls = events
        .filter(({ type }) => type === 'before_tool')
        .map(({ tool }) => tool?.input.command);
      expect(calls).toEqual(['touch made.txt', 'mkdir left']);
      expect(Math.max(...events.map(({ toolNumber }) => toolNumber))).toBe(2);
      expect(Math.max(...events.map(({ promptNumber }) => promptNumber))).toBe(1);
    });
  });
});
