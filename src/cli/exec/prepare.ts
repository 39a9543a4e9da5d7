import { CLIENTS } from '../../agents/_clients.ts';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { findCommand } from '../../agents/setup/detect-command.ts';
import type { Finding } from '../../agents/setup/setup.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import type { Client } from '../../sandbox/client.ts';
import { readForwarderSettings } from '../../wire/forwarder-settings.ts';
import { RUN_VARIABLE } from '../../wire/run-id.ts';
import { unknownAgent } from '../agents/agent-name.ts';
import { setupContext } from '../agents/context.ts';
import { hookedContexts } from '../agents/hooked.ts';
import { usage } from '../command.ts';

/** An agent that can run headless. */
export interface Runnable {
  readonly agent: Agent;
  readonly client: Client;
  /** The program on the user's PATH. */
  readonly program: string;
}

/**
 * Accepts only the ID used here, because rules about agents that start agents compare the same ID. Throws
 * AGENT_UNKNOWN, AGENT_MISSING, USAGE.
 */
export async function findRunnable(name: string | undefined): Promise<Runnable> {
  const names = Object.keys(CLIENTS).join(', ');
  if (name === undefined) throw usage('exec', `Missing agent. Use one of: ${names}.`);
  const agent = AGENTS.get(name);
  if (!agent) throw unknownAgent(name);
  const load = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (!load) throw usage('exec', `${agent.label} can't run headless. These agents can: ${names}.`);
  const command = agent.escapes.programs[0] ?? agent.id;
  const program = findCommand(command, process.env);
  if (program === null)
    throw new HooklineError(
      'AGENT_MISSING',
      `${agent.label} is not on PATH: no program "${command}" was found.`,
      {
        hint: `Install ${agent.label}, or add its directory to PATH.`,
      },
    );
  return { agent, client: await load(), program };
}

/** Why this agent wouldn't call Hookline, with the command that fixes it; null if it would. */
export function whyUnguarded(agent: Agent, paths: HomePaths): Pick<Finding, 'message' | 'fix'> | null {
  const setup = `hookline setup ${agent.id}`;
  const contexts = hookedContexts(agent, (scope) => setupContext(paths, scope));
  if (contexts.length === 0)
    return {
      message: `${agent.label} is not set up, so its hooks don't call Hookline.`,
      fix: `Run \`${setup}\`.`,
    };
  if (!readForwarderSettings(paths.root)?.env.includes(RUN_VARIABLE))
    return {
      message: "The forwarder is outdated, so calls can't be matched to this run.",
      fix: `Run \`${setup}\` again.`,
    };
  const findings = contexts.flatMap((context) => agent.setup.inspect(context));
  return findings.find(({ level, bySetup }) => level === 'problem' || bySetup === true) ?? null;
}
