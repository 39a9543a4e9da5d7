import { AGENTS } from '../agents/_registry.ts';
import type { Handler } from '../engine/decide.ts';
import { type Call, handle } from '../engine/handle.ts';
import type { Recorder } from '../engine/record.ts';
import { createTestEngine } from '../engine/testing.ts';
import { none } from '../model/responses.ts';
import type { RuleBook } from '../rules/book.ts';
import type { World } from '../rules/facts.ts';
import { createRulesHandler } from '../rules/handler.ts';
import { parseRules } from '../rules/load.ts';
import { createSessionMemory } from '../rules/memory.ts';
import { indexRules } from '../rules/rule-index.ts';
import { createJudge, type Judge } from './judge.ts';

/** A world that is the same on every machine. */
export const STILL = {
  home: '/home/dev',
  real: (path: string) => path,
  branchOf: () => 'main',
};

export function bookOf(yaml: string): RuleBook {
  const { rules, problems } = parseRules(yaml, 'test.yaml');
  if (problems[0]) throw new Error(`${problems[0].where}: ${problems[0].message}`);
  const inForce = { rules, index: indexRules(rules), problems };
  return { inForce: () => inForce };
}

export function judgeBy(yaml: string): Judge {
  return createJudge({ agents: AGENTS, rules: bookOf(yaml), failure: 'open', world: STILL });
}

export function rulesHandlerOf(yaml: string, now: () => number): Handler {
  const book = bookOf(yaml);
  const world: World = { ...STILL, now, treeOf: () => null, unlocked: () => false };
  return createRulesHandler({
    rulesFor: () => book.inForce(null),
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
    { recorder, identity: { machineId: null, userId: null, projectOf: (cwd) => cwd } },
  );
  const decisions = new Map<string, string>();
  for (const call of calls) {
    now = call.receivedAt;
    const { record } = await handle(call, engine);
    decisions.set(call.id, record.response.decision);
  }
  return decisions;
}
