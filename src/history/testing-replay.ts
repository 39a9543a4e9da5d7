import { AGENTS } from '../agents/_registry.ts';
import { handle } from '../engine/handle.ts';
import { createTestEngine } from '../engine/testing.ts';
import type { Handler } from '../model/deciding.ts';
import type { Call } from '../model/native.ts';
import type { Recorder } from '../model/recording.ts';
import { none } from '../model/responses.ts';
import type { World } from '../rules/facts.ts';
import { parseRules } from '../rules/files/load.ts';
import { createRulesHandler } from '../rules/handler.ts';
import { indexRules } from '../rules/rule-index.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { createSessionMemory } from '../rules/session/memory.ts';
import { createReplay, type Replay } from './replay.ts';

/** A world that is the same on every machine. */
export const STILL = {
  home: '/home/dev',
  real: (path: string) => path,
  branchOf: () => 'main',
  runOptions: () => ({}),
};

export function ruleSetOf(yaml: string): RuleSet {
  const { rules, problems } = parseRules(yaml, 'test.yaml');
  if (problems[0]) throw new Error(`${problems[0].where}: ${problems[0].message}`);
  const inForce = { rules, index: indexRules(rules), problems, offInVain: [], waiting: [] };
  return { inForce: () => inForce, isStale: () => false };
}

export function replayBy(yaml: string): Replay {
  return createReplay({ agents: AGENTS, rules: ruleSetOf(yaml), failure: 'open', world: STILL });
}

export function rulesHandlerOf(yaml: string, now: () => number): Handler {
  const ruleSet = ruleSetOf(yaml);
  const world: World = { ...STILL, now, treeOf: () => null, unlocked: () => false };
  return createRulesHandler({
    rulesFor: () => ruleSet.inForce(null),
    world,
    memory: createSessionMemory(),
    failed: () => none(),
  });
}

/** What handling calls one after the other decides, by call. */
export async function handled(
  calls: readonly Call[],
  handlers: (now: () => number) => readonly Handler[],
  recorder: Recorder,
): Promise<ReadonlyMap<string, string>> {
  let now = 0;
  const engine = createTestEngine(
    handlers(() => now),
    { recorder, identity: { machineId: null, userId: null, projectOf: (cwd) => cwd, branchOf: () => null } },
  );
  const decisions = new Map<string, string>();
  for (const call of calls) {
    now = call.receivedAt;
    const { record } = await handle(call, engine);
    decisions.set(call.id, record.response.decision);
  }
  return decisions;
}
