import { homedir } from 'node:os';
import type { Agent } from '../agents/agent.ts';
import { type Finding, type SetupContext, scopesOf } from '../agents/setup/setup.ts';
import { messageOf } from '../model/errors.ts';
import { forwarderPath } from '../wire/forwarder-settings.ts';
import type { OpenHome } from './open.ts';

type InspectedHome = Pick<OpenHome, 'paths' | 'config'>;

/** The context for an agent's user settings, as a daemon sees it. */
export function userContext({ setup }: Agent, { paths, config }: InspectedHome): SetupContext {
  return {
    env: process.env,
    home: process.env.HOME || homedir(),
    cwd: paths.root,
    scope: scopesOf(setup)[0],
    forwarder: forwarderPath(paths.root),
    failClosed: config.failure === 'closed',
  };
}

/** The agent's settings, read again. */
interface InspectedAgent {
  readonly setUp: boolean;
  /** Except that it isn't set up. */
  readonly findings: readonly Finding[];
}

export function inspectAgent(agent: Agent, home: InspectedHome): InspectedAgent {
  const findings = findingsOf(agent, home);
  return {
    setUp: !findings.some(({ code }) => code === 'not-set-up' || code === 'unreadable'),
    findings: findings.filter(({ code }) => code !== 'not-set-up'),
  };
}

function findingsOf(agent: Agent, home: InspectedHome): readonly Finding[] {
  try {
    return agent.setup.inspect(userContext(agent, home));
  } catch (error) {
    return [{ level: 'problem', code: 'unreadable', message: messageOf(error), fix: null }];
  }
}
