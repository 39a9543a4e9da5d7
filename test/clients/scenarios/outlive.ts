import { describe, expect } from 'vitest';
import type { Check } from '../../../src/live/check.ts';
import { daemonLost } from '../../../src/live/checks/failures.ts';
import { planOf, playChecks } from '../../../src/live/play-checks.ts';
import type { Scene } from '../../../src/live/scene.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { play, testWith } from '../scene.ts';

/** Guards and records outlive the daemon. */
export function outlives(client: Client): void {
  const it = testWith(client);
  const killed = daemonLost('KILL');
  const hanging = daemonLost('STOP');

  describe(`${client.id} stays guarded when the daemon is lost in the middle of a turn`, () => {
    it.each([false, true])(
      'killed: has every event once (JavaScript forwarder: %s)',
      async (javascriptForwarder) => {
        await play(client, { ...planOf(client, [killed]), javascriptForwarder }, async (scene) => {
          await guardedTurn(client, scene, killed);
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
      },
    );

    it('killed: restarts by itself', async () => {
      await play(client, { ...planOf(client, [killed]), env: {} }, async (scene) => {
        const lost = await guardedTurn(client, scene, killed);
        const pid = () => scene.hookline.daemonPid();
        await expect.poll(pid).toBeTypeOf('number');
        expect(await pid()).not.toBe(lost);
        const events = await scene.hookline.events();
        expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
        expect(events.filter((event) => event.type === 'before_tool')).toHaveLength(2);
      });
    });

    it('hanging: records each event once when it resumes', async () => {
      // Without a process that would start another daemon in its place, as the next call does otherwise.
      await play(client, planOf(client, [hanging]), async (scene) => {
        const pid = await guardedTurn(client, scene, hanging);
        process.kill(pid, 'SIGCONT');
        await scene.hookline.run(['down']);
        const events = await scene.hookline.events();
        expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
        const before = events.filter((event) => event.type === 'before_tool');
        expect(before.map((event) => event.response.decision)).toEqual(['none', 'deny']);
      });
    });
  });
}

async function guardedTurn(client: Client, scene: Scene, check: Check): Promise<number> {
  const pid = await scene.hookline.daemonPid();
  if (pid === null) throw new Error('the daemon is not running');
  // Reading the history ends a daemon that hangs.
  const { judged } = await playChecks(scene, client, [check], async () => []);
  expect(judged).toEqual([{ check, mismatches: [] }]);
  return pid;
}
