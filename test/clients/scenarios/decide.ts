import { describe, expect } from 'vitest';
import { AGENTS } from '../../../src/agents/_registry.ts';
import { EFFECT_CHECKS } from '../../../src/live/checks/all.ts';
import { payloadRows } from '../../../src/live/payload-rows.ts';
import { planOf, playChecks } from '../../../src/live/play-checks.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { play, testWith } from '../scene.ts';

/** What a rule can do to a turn, each in a turn of its own. */
export function decides(client: Client): void {
  const agent = AGENTS.get(client.id);

  describe(`${client.id} obeys rules`, () => {
    for (const check of EFFECT_CHECKS) {
      const applies = agent !== undefined && check.applies(agent, client);
      testWith(client, applies)(`${check.name}: ${check.promise}`, async () => {
        await play(client, planOf(client, [check]), async (scene) => {
          const { judged, events } = await playChecks(scene, client, [check]);
          expect(judged).toEqual([{ check, mismatches: [] }]);
          // Fixtures of the pinned version that are too narrow would have every user read that something changed.
          expect(payloadRows(client, events).filter(({ state }) => state === 'changed')).toEqual([]);
        });
      });
    }
  });
}
