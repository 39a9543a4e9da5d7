import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Detection, Finding } from '../../agents/setup/setup.ts';
import { inspectAgent, userContext } from '../../home/inspect-agent.ts';
import type { OpenHome } from '../../home/open.ts';
import { agentTraces } from './reads.ts';
import type { AgentView } from './shapes.ts';

/** Getting a version starts the client, and it rarely changes. */
const KNOWN_MS = 60_000;

/** State of the agents on this machine. Versions follow once they are known, so no request waits for them. */
export function createAgentHealth(home: OpenHome): () => readonly AgentView[] {
  const known = new Map<string, { readonly at: number; found: Detection | null }>();
  return () => {
    const traces = agentTraces(home.db);
    return [...AGENTS.values()].map((agent) => {
      const before = known.get(agent.id);
      if (!before || Date.now() - before.at > KNOWN_MS) {
        const next = { at: Date.now(), found: before?.found ?? null };
        known.set(agent.id, next);
        void detect(agent, home).then((found) => {
          next.found = found;
        });
      }
      const trace = traces.get(agent.id);
      return {
        ...look(agent, home, known.get(agent.id)?.found ?? null),
        sessions: trace?.sessions ?? 0,
        lastAt: trace?.lastAt ?? null,
        gaps: trace?.gaps ?? 0,
      };
    });
  };
}

const ABSENT: Detection = { installed: false, path: null, version: null };

async function detect(agent: Agent, home: OpenHome): Promise<Detection> {
  return agent.setup.detect(userContext(agent, home)).catch(() => ABSENT);
}

function look(
  agent: Agent,
  home: OpenHome,
  found: Detection | null,
): Omit<AgentView, 'sessions' | 'lastAt' | 'gaps'> {
  const { id, label, testedVersion } = agent;
  const { setUp, findings } = inspectAgent(agent, home);
  const about = (level: Finding['level']) =>
    findings
      .filter((one) => one.level === level)
      .map(({ message, why = null, fix }) => ({ message, why, fix }));
  return {
    id,
    label,
    installed: found?.installed ?? null,
    version: found?.version ?? null,
    testedVersion,
    setUp,
    problems: about('problem'),
    warnings: about('warning'),
    limits: [...about('limit').map(({ message }) => message), ...agent.blindSpots.map(({ note }) => note)],
  };
}
