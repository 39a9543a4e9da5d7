import { describe, expect } from 'vitest';
import { AGENTS } from '../../../src/agents/_registry.ts';
import { EFFECT_CHECKS } from '../../../src/live/checks/all.ts';
import { payloadRows } from '../../../src/live/payload-rows.ts';
import { planOf, playChecks } from '../../../src/live/play-checks.ts';
import { effectTurns } from '../../../src/live/play-turns.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { once } from '../once.ts';
import { play, testWith } from '../scene.ts';

/** What rules can do to a turn, in as few turns as `doctor --live` takes for it. */
export function decides(client: Client): void {
  const agent = AGENTS.get(client.id);
  const turns = agent ? effectTurns(agent, client) : [];
  const played = new Map(
    turns.flatMap((checks) => {
      const turn = once(() =>
        play(client, planOf(client, checks), (scene) => playChecks(scene, client, checks)),
      );
      return checks.map((check) => [check, turn]);
    }),
  );

  describe(`${client.id} obeys rules`, () => {
    for (const check of EFFECT_CHECKS) {
      const turn = played.get(check);
      testWith(client, turn !== undefined)(`${check.name}: ${check.promise}`, async () => {
        const { judged = [], events = [] } = (await turn?.()) ?? {};
        expect(judged.find((one) => one.check === check)).toEqual({ check, mismatches: [] });
        // Fixtures of the pinned version that are too narrow would have every user read that something changed.
        expect(payloadRows(client, events).filter(({ state }) => state === 'changed')).toEqual([]);
      });
    }
  });
}
