import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Client } from '../../../src/sandbox/client.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { play, testWith } from '../scene.ts';

const HEAD = 'What happened in this project before';

/** What a session that begins is told of the ones before it. */
export function remembers(client: Client): void {
  const it = testWith(client);
  const script = [[client.shell('exit 3')], 'First done.', 'Second done.'];
  const config = (text: string) => ({
    script: [...script],
    prepare: (sandbox: Sandbox) =>
      writeFile(join(sandbox.hooklineHome, 'config.yaml'), `http: { port: 0 }\n${text}`),
  });

  describe(`${client.id} and memory`, () => {
    it('a new session is told exactly what `hookline memory` shows, once it is turned on', async () => {
      await play(client, config('memory: { on: true }\n'), async ({ turn, hookline, model }) => {
        await turn('Prune the plum trees.', { trustShell: true });
        const { stdout } = await hookline.run(['memory']);
        expect(stdout).toContain('Prune the plum trees. · 1 command, 1 error');
        await turn('Go on.', { trustShell: true });
        const told = model.requests.map(({ body }) => JSON.stringify(body));
        expect(told[0]).not.toContain(HEAD);
        const shown = JSON.stringify(stdout.trim()).slice(1, -1);
        expect(
          told.some((body) => body.includes(shown)),
          told.at(-1),
        ).toBe(true);
      });
    });

    it('and nothing while it is off', async () => {
      await play(client, config(''), async ({ turn, model }) => {
        await turn('Prune the plum trees.', { trustShell: true });
        await turn('Go on.', { trustShell: true });
        expect(model.requests.length).toBeGreaterThan(1);
        expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain(HEAD);
      });
    });
  });
}
