import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(claude);

it('variables of a rule reach later commands of the session', async () => {
  const rules = `
    rules:
      - on: session_start
        env:
          HOUSE_DOOR: "green $(touch ran.txt) 'door'"
  `;
  const script = [[claude.shell('printf %s "$HOUSE_DOOR" > door.txt')], 'Done.'];
  await play(claude, { rules, script }, async ({ turn, hookline, sandbox }) => {
    await turn('Paint the door.', { trustShell: true });
    expect(await readFile(join(sandbox.project, 'door.txt'), 'utf8')).toBe("green $(touch ran.txt) 'door'");
    const start = (await hookline.events()).find((event) => event.type === 'session_start');
    expect(start?.degraded).toEqual([]);
  });
});
