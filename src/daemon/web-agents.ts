import { homedir } from 'node:os';
import { AGENTS } from '../agents/_registry.ts';
import type { Agent } from '../agents/agent.ts';
import { type Detection, type Finding, type SetupContext, scopesOf } from '../agents/kit/setup.ts';
import type { OpenHome } from '../home/open.ts';
import { messageOf } from '../model/errors.ts';
import { forwarderPath } from '../wire/forwarder-settings.ts';
import { agentTraces } from './web-reads.ts';
import type { AgentView } from './web-shapes.ts';

/** Asking a client for its version starts it, and that does not change from one look to the next. */
const KNOWN_MS = 60_000;

/** How the agents of this machine are. Their versions come when they are known: nobody waits for them. */
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
  return agent.setup.detect(agentContext(agent, home)).catch(() => ABSENT);
}

export function agentContext(
  { setup }: Agent,
  { paths, config }: Pick<OpenHome, 'paths' | 'config'>,
): SetupContext {
  return {
    env: process.env,
    home: process.env.HOME || homedir(),
    cwd: paths.root,
    scope: scopesOf(setup)[0],
    forwarder: forwarderPath(paths.root),
    failClosed: config.failure === 'closed',
  };
}

function look(
  agent: Agent,
  home: OpenHome,
  found: Detection | null,
): Omit<AgentView, 'sessions' | 'lastAt' | 'gaps'> {
  const { id, label, testedVersion } = agent;
  const findings = inspected(agent, home);
  const setUp = !findings.some(({ code }) => code === 'not-set-up' || code === 'unreadable');
  const about = (level: Finding['level']) =>
    findings
      .filter((one) => one.level === level && one.code !== 'not-set-up')
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

function inspected(agent: Agent, home: OpenHome): readonly Finding[] {
  try {
    return agent.setup.inspect(agentContext(agent, home));
  } catch (error) {
    return [{ level: 'problem', code: 'unreadable', message: messageOf(error), fix: null }];
  }
}
