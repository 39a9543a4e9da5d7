import { homedir } from 'node:os';
import { AGENTS } from '../agents/_registry.ts';
import type { Agent } from '../agents/agent.ts';
import { scopesOf } from '../agents/kit/setup.ts';
import type { OpenHome } from '../home/open.ts';
import { messageOf } from '../model/errors.ts';
import { forwarderPath } from '../wire/forwarder-settings.ts';
import { agentTraces } from './web-reads.ts';
import type { AgentView } from './web-shapes.ts';

/** Asking a client for its version starts it, and that does not change from one look to the next. */
const KEPT_MS = 60_000;

/** How the agents of this machine are. */
export function createAgentHealth(home: OpenHome): () => Promise<readonly AgentView[]> {
  let known: { readonly at: number; readonly agents: Promise<readonly Known[]> } | null = null;
  return async () => {
    if (!known || Date.now() - known.at > KEPT_MS)
      known = { at: Date.now(), agents: Promise.all([...AGENTS.values()].map((agent) => look(agent, home))) };
    const traces = agentTraces(home.db);
    return (await known.agents).map((agent) => ({
      ...agent,
      sessions: traces.get(agent.id)?.sessions ?? 0,
      lastAt: traces.get(agent.id)?.lastAt ?? null,
      gaps: traces.get(agent.id)?.gaps ?? 0,
    }));
  };
}

type Known = Omit<AgentView, 'sessions' | 'lastAt' | 'gaps'>;

async function look(agent: Agent, { paths, config }: OpenHome): Promise<Known> {
  const { id, label, testedVersion, setup } = agent;
  const context = {
    env: process.env,
    home: process.env.HOME || homedir(),
    cwd: paths.root,
    scope: scopesOf(setup)[0],
    forwarder: forwarderPath(paths.root),
    failClosed: config.failure === 'closed',
  };
  try {
    const { installed, version } = await setup.detect(context);
    const findings = setup.inspect(context);
    return {
      id,
      label,
      installed,
      version,
      testedVersion,
      setUp: !findings.some(({ code }) => code === 'not-set-up'),
      findings: findings
        .filter(({ level }) => level !== 'ok')
        .map(({ level, message, fix }) => ({ level, message, fix })),
    };
  } catch (error) {
    const message = messageOf(error);
    const findings = [{ level: 'problem', message, fix: null }];
    return { id, label, installed: false, version: null, testedVersion, setUp: false, findings };
  }
}
