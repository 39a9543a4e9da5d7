import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Finding } from '../../agents/setup/setup.ts';
import { userContext } from '../../home/inspect-agent.ts';
import type { OpenHome } from '../../home/open.ts';
import { GUARD_LOST } from '../../model/alert.ts';

export interface GuardWatch {
  look(): void;
  /** A person has removed the hooks of an agent: it has no guard that it could lose. While it has hooks, nothing changes. */
  removed(agent: Agent): void;
}

/** Notices when the hooks of an agent that had a guard are taken out, or no longer work. */
export function createGuardWatch(home: Pick<OpenHome, 'paths' | 'config' | 'alerts'>): GuardWatch {
  const guarded = new Set<string>();
  const codeOf = ({ id }: Agent) => `${GUARD_LOST}${id}`;
  return {
    look() {
      for (const agent of AGENTS.values()) {
        const problem = whyUnguarded(agent, home);
        if (problem === null) {
          guarded.add(agent.id);
          home.alerts.clear(codeOf(agent));
        } else if (guarded.delete(agent.id)) {
          const message = `The settings of ${agent.label} changed: ${problem.message}`;
          home.alerts.raise({ code: codeOf(agent), level: 'problem', message, fix: problem.fix ?? null });
        }
      }
    },
    removed(agent) {
      if (whyUnguarded(agent, home) === null) return;
      guarded.delete(agent.id);
      home.alerts.clear(codeOf(agent));
    },
  };
}

function whyUnguarded(agent: Agent, home: Pick<OpenHome, 'paths' | 'config'>): Finding | null {
  const findings = agent.setup.inspect(userContext(agent, home));
  return findings.find(({ level, code }) => level === 'problem' || code === 'not-set-up') ?? null;
}
