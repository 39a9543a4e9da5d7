import { describe, expect } from 'vitest';
import type { Client } from '../../../src/sandbox/client.ts';
import { once } from '../once.ts';
import { play, testWith } from '../scene.ts';

const HEAD = 'Earlier work in this project';

/** What a session that begins is told of the ones before it. */
export function remembers(client: Client): void {
  const it = testWith(client);
  const played = once(() => playSessions(client));

  describe(`${client.id} and memory`, () => {
    it('a new session gets exactly what `hookline memory` shows, once enabled', async () => {
      const { shown, first, on } = await played();
      expect(first.length).toBeGreaterThan(1);
      expect(first.join()).not.toContain(HEAD);
      expect(shown).toMatch(
        /Prune the plum trees\. → (?:First done\.|no answer recorded) \(1 command, 1 error\)/,
      );
      const part = JSON.stringify(shown.trim()).slice(1, -1);
      expect(
        on.some((body) => body.includes(part)),
        on.at(-1),
      ).toBe(true);
    });

    it('and nothing while disabled', async () => {
      const { off } = await played();
      expect(off.length).toBeGreaterThan(1);
      expect(off.join()).not.toContain(HEAD);
    });
  });
}

/** A first session with memory, one without it, and one with it again: what the model is told in them. */
async function playSessions(client: Client) {
  const script = [[client.shell('exit 3')], 'First done.', 'Second done.'];
  return await play(client, { script }, async ({ turn, hookline, model }) => {
    const session = async (prompt: string, isOn: boolean) => {
      const before = model.requests.length;
      await hookline.writeConfig({ memory: { on: isOn } });
      await turn(prompt, { trustShell: true });
      return model.requests.slice(before).map(({ body }) => JSON.stringify(body));
    };
    const first = await session('Prune the plum trees.', true);
    const off = await session('Go on.', false);
    const { stdout: shown } = await hookline.run(['memory']);
    return { shown, first, off, on: await session('Go on.', true) };
  });
}
