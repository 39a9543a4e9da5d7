import { AGENTS } from '../agents/_registry.ts';
import type { Agent } from '../agents/agent.ts';
import type { Detection } from '../agents/setup/setup.ts';
import type { Coverage } from '../fleet/machines/report.ts';
import { shownText } from '../fleet/shown-text.ts';
import { redact } from '../redact/redact.ts';
import type { Config } from './config.ts';
import { inspectAgent, userContext } from './inspect-agent.ts';
import type { HomePaths } from './paths.ts';

/** Getting a version starts the client. */
const KNOWN_MS = 60 * 60_000;
const MOST_PROBLEMS = 3;
const LONGEST_PROBLEM = 160;

interface CoveredHome {
  readonly paths: HomePaths;
  readonly config: Config;
}

/**
 * The agents installed or set up on this machine, and whether their hooks work. Clients are looked up now and then,
 * without delaying a caller.
 */
export function createCoverage(home: CoveredHome): Coverage {
  const known = new Map<string, { readonly at: number; found: Detection | null }>();

  function detected(agent: Agent): Detection | null {
    const before = known.get(agent.id);
    if (before && Date.now() - before.at < KNOWN_MS) return before.found;
    const next = { at: Date.now(), found: before?.found ?? null };
    known.set(agent.id, next);
    void agent.setup.detect(userContext(agent, home)).then(
      (found) => {
        next.found = found;
      },
      () => {},
    );
    return next.found;
  }

  return () =>
    [...AGENTS.values()].flatMap((agent) => {
      const found = detected(agent);
      const { setUp, findings } = inspectAgent(agent, home);
      const problems = findings.filter(({ level }) => level === 'problem').map(({ message }) => message);
      if (!setUp && !found?.installed) return [];
      return [
        {
          id: agent.id,
          installed: found?.installed ?? null,
          version: found?.version ?? null,
          setUp,
          problems: problems
            .slice(0, MOST_PROBLEMS)
            .map((message) => shownText(redact(message), LONGEST_PROBLEM)),
        },
      ];
    });
}
