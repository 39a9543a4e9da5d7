import { performance } from 'node:perf_hooks';
import { AGENTS } from '../agents/_registry.ts';
import type { Config } from '../home/config.ts';
import { readIdentity } from '../home/identity.ts';
import type { HomePaths } from '../home/paths.ts';
import { createRulesHandler } from '../rules/handler.ts';
import type { RuleSource } from '../rules/source.ts';
import type { Engine } from './handle.ts';
import type { Recorder } from './record.ts';

export interface EngineParts {
  readonly paths: HomePaths;
  readonly config: Config;
  readonly rules: RuleSource;
  readonly recorder: Recorder;
}

/** The engine of a home: the same for the daemon, the fallback and `try`, but for where it records. */
export function createEngine({ paths, config, rules, recorder }: EngineParts): Engine {
  return {
    agents: AGENTS,
    handlers: [createRulesHandler(() => rules.rules())],
    recorder,
    identity: readIdentity(paths),
    failure: config.failure,
    now: () => performance.now(),
  };
}
