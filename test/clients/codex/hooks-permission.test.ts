import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import codex, { settings } from '../../../src/agents/codex/client.ts';
import type { Scene } from '../../../src/live/scene.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(codex);

/** A turn in which the client asks about every command: plain `codex exec` never does. */
async function askingTurn({ hookline, model }: Scene): Promise<void> {
  const config = settings(model.url).flatMap((setting) => ['-c', setting]);
  await hookline.run(['codex', 'exec', ...config, 'Go.'], { env: codex.scripted(model).env });
}

async function permission({ hookline }: Scene) {
  const events = await hookline.events();
  // A hook of ours that the client could not use would be told here.
  expect(events.filter(({ type }) => type === 'notification')).toEqual([]);
  return events.find(({ type }) => type === 'permission_request');
}

describe('the permission request of codex, answered by its hook', () => {
  it('is granted', async () => {
    const rules = `
      rules:
        - { on: permission_request, command: touch, allow: true }
    `;
    const script = [[codex.shell('touch granted.txt')], 'Done.'];
    await play(codex, { rules, script }, async (scene) => {
      await askingTurn(scene);
      expect(existsSync(join(scene.sandbox.project, 'granted.txt'))).toBe(true);
      expect(await permission(scene)).toMatchObject({ response: { decision: 'allow' }, degraded: [] });
    });
  });

  it('is denied with a message for the model', async () => {
    const rules = `
      rules:
        - { on: permission_request, command: touch, deny: This run is unattended. }
    `;
    const script = [[codex.shell('touch denied.txt')], 'Then not.'];
    await play(codex, { rules, script }, async (scene) => {
      await askingTurn(scene);
      // Over the app-server no reason can be given: that it is there shows that the hook gave it.
      expect(scene.model.results(1)).toEqual([expect.stringContaining('This run is unattended.')]);
      expect(existsSync(join(scene.sandbox.project, 'denied.txt'))).toBe(false);
      expect(await permission(scene)).toMatchObject({ response: { decision: 'deny' }, degraded: [] });
    });
  });

  it('also follows a rewrite: changing a command allows nothing', async () => {
    const rules = `
      rules:
        - { on: before_tool, command: touch, rewrite: { command: echo rewritten > rewritten.txt } }
    `;
    const script = [[codex.shell('touch original.txt')], 'Then not.'];
    await play(codex, { rules, script }, async (scene) => {
      await askingTurn(scene);
      expect(await permission(scene)).toMatchObject({
        tool: { input: { command: 'echo rewritten > rewritten.txt' } },
        response: { decision: 'none' },
      });
      // The run was unattended, so neither of the two has run.
      expect(existsSync(join(scene.sandbox.project, 'original.txt'))).toBe(false);
      expect(existsSync(join(scene.sandbox.project, 'rewritten.txt'))).toBe(false);
    });
  });
});
