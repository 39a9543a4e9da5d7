import { createAccess } from '../access/access.ts';
import { accessRecord } from '../access/record.ts';
import { openScriptKeys } from '../access/script-keys.ts';
import { AGENTS } from '../agents/_registry.ts';
import type { Access, Action } from '../model/people/access.ts';
import { configInForceOrStrictest } from './confirmed/in-force.ts';
import type { HomePaths } from './paths.ts';

/** Who may decide in a home, from its agents, keys and settings. */
export function openAccess(
  paths: HomePaths,
  record: (entry: ReturnType<typeof accessRecord>, action: Action) => void,
): Access {
  return createAccess({
    agents: [...AGENTS.values()],
    keys: openScriptKeys(paths.scriptKeys),
    terminals: () => configInForceOrStrictest(paths).access.terminals,
    record: (action, decision) => record(accessRecord(action, decision), action),
  });
}
