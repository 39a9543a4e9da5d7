import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import kilo from '../../../src/agents/kilo/client.ts';
import { play, testWith } from '../scene.ts';

// The same code as OpenCode, which passes all scenarios: here only that its plugins are loaded and asked.

const it = testWith(kilo);
const rules = `
  rules:
    - command: touch
      deny: Files are made by hand here.
    - command: cat
      rewrite: { command: echo rewritten }
    - on: turn_start
      context: The dog is called Ada.
    - on: turn_end
      deny: The tests have not run yet.
`;

describe('kilo is guarded', () => {
  it('through a whole turn that continues once', async () => {
    const script = [
      [kilo.shell('touch forbidden.txt')],
      [kilo.shell('cat a.txt')],
      'I am done.',
      'Now I really am.',
    ];
    await play(kilo, { rules, script }, async ({ turn, hookline, model, sandbox }) => {
      const finished = await turn('Work.', { trustShell: true });
      expect(model.told(0)).toContain('The dog is called Ada.');
      expect(model.results(1)).toEqual([expect.stringContaining('Files are made by hand here.')]);
      expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);
      expect(model.results(2)).toEqual([expect.stringContaining('rewritten')]);
      expect(model.told(3)).toContain('The tests have not run yet.');
      expect(finished.stdout).toContain('Now I really am.');
      const events = await hookline.events();
      expect(events.map(({ type, response }) => [type, response.decision])).toEqual([
        ['session_start', 'none'],
        ['before_agent', 'none'],
        ['before_tool', 'deny'],
        ['before_tool', 'none'],
        // Its settings ask about commands, and `--auto` answers.
        ['permission_request', 'none'],
        ['after_tool', 'none'],
        ['stop', 'deny'],
        ['stop', 'none'],
        ['session_end', 'none'],
      ]);
      const { stdout } = await hookline
        .run(['doctor', '--json'])
        .catch((error) => ({ stdout: String(error) }));
      expect(stdout).not.toContain('not-seen');
    });
  });

  it('also without a daemon', async () => {
    const script = [[kilo.shell('touch forbidden.txt')], 'Then not.', 'Really not.'];
    await play(kilo, { rules, script, env: { HOOKLINE_NO_AUTOSTART: '1' } }, async (scene) => {
      await scene.hookline.run(['down']);
      await scene.turn('Work.', { trustShell: true });
      expect(scene.model.results(1)).toEqual([expect.stringContaining('Files are made by hand here.')]);
      expect(existsSync(join(scene.sandbox.project, 'forbidden.txt'))).toBe(false);
    });
  });
});
