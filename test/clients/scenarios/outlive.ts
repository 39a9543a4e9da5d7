import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Scene } from '../../../src/live/scene.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { play, testWith } from '../scene.ts';

const rules = `
  rules:
    - command: touch
      deny: Files are made by hand here.
`;

/** Guards and records outlive the daemon. */
export function outlives(client: Client): void {
  const it = testWith(client);
  // By a script: one of the clients refuses to run a command substitution, another a kill without a number.
  const script = [[client.shell('sh lose-daemon.sh')], [client.shell('touch forbidden.txt')], 'Then not.'];

  describe(`${client.id} stays guarded when the daemon is lost in the middle of a turn`, () => {
    it.each([false, true])(
      'killed: every event is there once (JavaScript forwarder: %s)',
      async (javascriptForwarder) => {
        const env = { HOOKLINE_NO_AUTOSTART: '1' };
        await play(client, { rules, script, env, javascriptForwarder }, async (scene) => {
          await guardedTurn(scene, 'KILL');
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

    it('killed: it is back without anyone asking for it', async () => {
      await play(client, { rules, script }, async (scene) => {
        const killed = await guardedTurn(scene, 'KILL');
        const pid = () => scene.hookline.daemonPid();
        await expect.poll(pid, { timeout: 20_000 }).toBeTypeOf('number');
        expect(await pid()).not.toBe(killed);
        const events = await scene.hookline.events();
        expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
        expect(events.filter((event) => event.type === 'before_tool')).toHaveLength(2);
      });
    });

    it('hanging: what it finds when it wakes up is there once', async () => {
      await play(client, { rules, script }, async (scene) => {
        const pid = await guardedTurn(scene, 'STOP');
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

async function guardedTurn(
  { turn, hookline, model, sandbox }: Scene,
  signal: 'KILL' | 'STOP',
): Promise<number> {
  const pid = await hookline.daemonPid();
  if (pid === null) throw new Error('the daemon is not running');
  await writeFile(join(sandbox.project, 'lose-daemon.sh'), `kill -${signal} ${pid}\n`);
  await turn('Go.', { trustShell: true });
  expect(model.results(2)).toEqual([expect.stringContaining('Files are made by hand here.')]);
  expect(existsSync(join(sandbox.project, 'forbidden.txt'))).toBe(false);
  return pid;
}
