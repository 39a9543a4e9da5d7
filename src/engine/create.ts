import { performance } from 'node:perf_hooks';
import { AGENTS } from '../agents/_registry.ts';
import type { Config } from '../home/config.ts';
import { readIdentity } from '../home/identity.ts';
import type { HomePaths } from '../home/paths.ts';
import { openRuleBook, type RuleBook } from '../rules/book.ts';
import { createRulesHandler } from '../rules/handler.ts';
import { createSessionMemory } from '../rules/memory.ts';
import { realWorld } from '../rules/world.ts';
import type { Approver } from './decide.ts';
import { responseToFailure } from './failure.ts';
import type { Engine } from './handle.ts';
import type { Recorder } from './record.ts';

/** All rules of a home: its own, the packs it has switched on, and what projects bring along. */
export function openHomeRules(paths: HomePaths, config: Config): RuleBook {
  return openRuleBook({
    folder: paths.rules,
    trustFile: paths.trust,
    packs: config.packs,
    off: config.rulesOff,
    places: {
      'hookline-home': [`${paths.root}/**`],
      'agent-settings': [...AGENTS.values()].flatMap((agent) => agent.settingsFiles),
    },
  });
}

export interface EngineParts {
  readonly paths: HomePaths;
  readonly config: Config;
  readonly rules: RuleBook;
  readonly recorder: Recorder;
  /** Null where nobody can be asked. */
  readonly approver?: Approver | null;
}

/** The engine of a home: the same for the daemon, the fallback and `try`, but for where it records. */
export function createEngine({ paths, config, rules, recorder, approver = null }: EngineParts): Engine {
  const rulesHandler = createRulesHandler({
    rulesFor: (event) => rules.inForce(event.projectId),
    world: realWorld(paths.unlock),
    memory: createSessionMemory(),
    failed: (event, what) => responseToFailure(event.type, config.failure, what),
  });
  return {
    agents: AGENTS,
    handlers: [rulesHandler],
    approver,
    recorder,
    identity: readIdentity(paths),
    failure: config.failure,
    now: () => performance.now(),
  };
}
