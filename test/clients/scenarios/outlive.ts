import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Client } from '../client.ts';
import { play, type Scene, testWith } from '../scene.ts';

const rules = `
  rules:
    - command: touch
      deny: Files are made by hand here.
`;

/** Guards and records outlive the daemon. */
export function outlives(client: Client): void {
  const it = testWith(client);
  const script = [
    [client.shell('kill -9 "$(cat daemon.pid)"')],
    [client.shell('touch forbidden.txt')],
    'Then not.',
  ];

  describe(`${client.id} stays guarded when the daemon is killed in the middle of a turn`, () => {
    it('and every event is there exactly once', async () => {
      const env = { HOOKLINE_NO_AUTOSTART: '1' };
      await play(client, { rules, script, env }, async (scene) => {
        await killedTurn(scene);
        const { hookline } = scene;
        expect(await hookline.daemonPid()).toBe(null);
        const spooled = await hookline.events();
        await hookline.run(['up']);
        const stored = await hookline.events();

        expect(new Set(stored.map((event) => event.id)).size).toBe(stored.length);
        expect(stored.map((event) => event.id)).toEqual(spooled.map((event) => event.id));
        expect(stored.map((event) => event.sequence)).toEqual(stored.map((_, index) => index + 1));
        const before = stored.filter((event) => event.type === 'before_tool');
        expect(before.map((event) => event.response.decision)).toEqual(['none', 'deny']);
        expect(stored.at(-1)?.type).toBe(client.turnEvents.at(-1));
      });
    });

    it('and the daemon is back without anyone asking for it', async () => {
      await play(client, { rules, script }, async (scene) => {
        const killed = await killedTurn(scene);
        const pid = () => scene.hookline.daemonPid();
        await expect.poll(pid, { timeout: 20_000 }).toBeTypeOf('number');
        expect(await pid()).not.toBe(killed);
        const events = await scene.hookline.events();
        expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
        expect(events.filter((event) => event.type === 'before_tool')).toHaveLength(2);
      });
    });
  });
}

async function killedTurn({ turn, hookline, model, sandbox }: Scene): Promise<number | null> {
  const pid = await hookline.daemonPid();
  await writeFile(join(sandbox.project, 'daemon.pid'), `${pid}`);
  await turn('Go.', { trustShell: true });
  expect(model.results(2)).toEqual([expect.stringContaining('Files are made by hand here.')]);
  expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);
  return pid;
}
