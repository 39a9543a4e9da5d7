import { AGENTS } from '../../agents/_registry.ts';
import { configInForceOrStrictest } from '../../home/confirmed/in-force.ts';
import { openHomeRules } from '../../home/engine.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { findWritableByOthers } from '../../home/ownership.ts';
import type { HomePaths } from '../../home/paths.ts';
import { ruleWarnings } from '../../home/rule-warnings.ts';
import { openHooks } from '../../hooks/registry.ts';
import type { FileProblem } from '../../platform/last-good.ts';
import { packNames } from '../../rules/pack.ts';
import type { RuleFinding } from '../../rules/review/remarks.ts';

interface RuleFindings {
  readonly problems: readonly FileProblem[];
  readonly remarks: readonly RuleFinding[];
}

/**
 * Problems of the rules that apply in this directory, including the project's. Bundled packs are valid, and reading
 * them takes longer than everything else, so they are skipped. An unknown pack name is still reported.
 */
export function ruleFindingsHere(paths: HomePaths): RuleFindings {
  const config = configInForceOrStrictest(paths);
  const known = Object.fromEntries(packNames().map((name) => [name, 'off'] as const));
  const rules = openHomeRules(paths, { ...config, packs: { ...config.packs, ...known } });
  const inForce = rules.inForce(projectHere());
  return { problems: inForce.problems, remarks: ruleWarnings(inForce, config) };
}

/** Problems of the hooks. They are loaded to find out, so not if other users can write them. */
export async function hookProblemsHere(paths: HomePaths): Promise<readonly FileProblem[]> {
  if (findWritableByOthers(paths) !== null) return [];
  const registry = openHooks(paths, AGENTS);
  try {
    await registry.hooksFor(projectHere());
    return registry.problems();
  } finally {
    registry.close();
  }
}

/** Each problem once, even if several checks found it. */
export function distinct<P extends FileProblem>(problems: readonly P[]): readonly P[] {
  return [...new Map(problems.map((one) => [`${one.where}\0${one.message}`, one])).values()];
}

function projectHere(): string {
  return createProjectFinder()(process.cwd());
}
