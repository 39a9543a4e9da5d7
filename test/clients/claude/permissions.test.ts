import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(claude);

describe('the permission request of claude', () => {
  it('is granted and remembered in the local settings of the project', async () => {
    const rules = `
      rules:
        - on: permission_request
          command: touch
          allow: true
          grants:
            - { behavior: allow, tool: Bash, pattern: "touch:*", scope: project }
    `;
    const script = [[claude.shell('touch granted.txt')], 'Done.'];
    await play(claude, { rules, script }, async ({ turn, hookline, sandbox }) => {
      await turn('Make a file.');
      expect(existsSync(join(sandbox.project, 'granted.txt'))).toBe(true);
      const settings = await readFile(join(sandbox.project, '.claude', 'settings.local.json'), 'utf8');
      expect(JSON.parse(settings)).toMatchObject({ permissions: { allow: ['Bash(touch:*)'] } });
      const request = (await hookline.events()).find((event) => event.type === 'permission_request');
      expect(request?.response.decision).toBe('allow');
      expect(request?.degraded).toEqual([]);
    });
  });

  it('is denied with a message for the model', async () => {
    const rules = `
      rules:
        - on: permission_request
          command: touch
          deny: This run is unattended.
    `;
    const script = [[claude.shell('touch denied.txt')], 'Then not.'];
    await play(claude, { rules, script }, async ({ turn, model, sandbox }) => {
      await turn('Make a file.');
      expect(model.results(1)).toEqual([expect.stringContaining('This run is unattended.')]);
      expect(existsSync(join(sandbox.project, 'denied.txt'))).toBe(false);
    });
  });
});
