import { describe, expect } from 'vitest';
import grok from '../../../src/agents/grok/client.ts';
import { playScene } from '../../../src/live/scene.ts';
import { programOf, testWith } from '../scene.ts';

const it = testWith(grok);

describe('grok with Hookline set up only for Claude Code', () => {
  it('is guarded by its rules, reads the reason, and is recorded under its own name', async () => {
    const script = [[grok.shell('touch denied.txt')], [grok.shell('touch allowed.txt')], 'Done.'];
    const rules =
      'rules:\n  - { id: no-touch, tool: Bash, command: touch denied.txt, deny: No touching here. }\n';
    const asClaude = { ...grok, id: 'claude' };
    await playScene(asClaude, programOf(grok) ?? '', { script, rules }, async (scene) => {
      await scene.turn('Touch them.', { trustShell: true });
      const events = await scene.hookline.events();
      expect(new Set(events.map(({ source }) => source))).toEqual(new Set(['grok']));
      expect(events.filter(({ type }) => type === 'before_tool')).toMatchObject([
        { tool: { name: 'Bash' }, response: { decision: 'deny' } },
        { tool: { name: 'Bash' }, response: { decision: 'none' } },
      ]);
      expect(scene.model.results(1)).toEqual([expect.stringContaining('No touching here.')]);
      expect(await scene.sandbox.run('ls', [], { cwd: scene.sandbox.project })).toMatchObject({
        stdout: expect.not.stringContaining('denied.txt'),
      });
    });
  });
});
