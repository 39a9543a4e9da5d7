import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import { play, testWith } from '../scene.ts';
import { commandsOn, readSettings, writeSettings } from './settings.ts';

const it = testWith(claude);

describe('an event unknown to Hookline', () => {
  it('passes the forwarder silently, even if a rule would deny it', async () => {
    const rules = `
      rules:
        - on: unknown
          deny: Nothing unknown here.
    `;
    await play(claude, { rules, script: [] }, async ({ hookline, sandbox }) => {
      const [command = ''] = commandsOn(await readSettings(sandbox), 'PreToolUse');
      const payload = { session_id: 's-1', cwd: sandbox.project, hook_event_name: 'ShinyNewEvent', shine: 7 };
      const finished = await sandbox.run('/bin/sh', ['-c', command], { input: JSON.stringify(payload) });
      expect(finished).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await hookline.events()).toEqual([
        expect.objectContaining({ type: 'unknown', source: 'claude', sessionId: 's-1', sequence: 1 }),
      ]);
    });
  });

  it('does not disturb the other events in the same settings', async () => {
    const rules = `
      rules:
        - command: touch
          deny: Files are made by hand here.
    `;
    const script = [[claude.shell('touch forbidden.txt')], 'Then not.'];
    await play(claude, { rules, script }, async ({ turn, hookline, sandbox }) => {
      const settings = (await readSettings(sandbox)) ?? '';
      const [command = ''] = commandsOn(settings, 'PreToolUse');
      const more = JSON.parse(settings);
      more.hooks.ShinyNewEvent = [{ hooks: [{ type: 'command', command }] }];
      await writeSettings(sandbox, JSON.stringify(more));

      const finished = await turn('Make a file.', { trustShell: true });
      expect(finished.code).toBe(0);
      expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);
      const types = (await hookline.events()).map((event) => event.type);
      expect(types).toContain('session_start');
      expect(types).toContain('session_end');
    });
  });
});
