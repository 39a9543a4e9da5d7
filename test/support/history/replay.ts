import { AGENTS } from '../../../src/agents/_registry.ts';
import { handle } from '../../../src/engine/handle.ts';
import { createReplay, type Replay } from '../../../src/history/replay/replay.ts';
import type { Handler } from '../../../src/model/deciding.ts';
import type { Call } from '../../../src/model/native.ts';
import type { Recorder } from '../../../src/model/recording.ts';
import { none } from '../../../src/model/responses.ts';
import type { World } from '../../../src/rules/facts.ts';
import { parseRules } from '../../../src/rules/files/load.ts';
import { createRulesHandler } from '../../../src/rules/handler.ts';
import { indexRules } from '../../../src/rules/rule-index.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import { createSessionMemory } from '../../../src/rules/session/memory.ts';
import { createTestEngine } from '../engine.ts';

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
  const inForce = { rules, index: indexRules(rules), problems, unknownDisabledIds: [], untrustedRules: [] };
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
