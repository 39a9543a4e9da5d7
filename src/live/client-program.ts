import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { CLIENTS } from '../agents/_clients.ts';
import { AGENTS } from '../agents/_registry.ts';
import type { Agent } from '../agents/agent.ts';
import { HooklineError, messageOf } from '../model/errors.ts';
import type { Client } from '../sandbox/client.ts';
import { installClient } from '../sandbox/install.ts';

/** An agent that a script can run. */
interface RunnableAgent {
  readonly agent: Agent;
  readonly client: Client;
}

/** A client's program on this machine. */
interface ClientProgram {
  readonly program: string;
  /** Null if it reports none. */
  readonly version: string | null;
}

/** The agent with this ID. Throws AGENT_UNKNOWN for an unknown one, and for one that only a person can run. */
export async function runnableAgent(id: string): Promise<RunnableAgent> {
  const agent = AGENTS.get(id);
  const client = await CLIENTS[id]?.();
  if (agent && client) return { agent, client };
  throw new HooklineError(
    'AGENT_UNKNOWN',
    agent ? `${agent.label} can't be run by a script.` : `Unknown agent "${id}".`,
    { hint: `Agents that can be run: ${Object.keys(CLIENTS).join(', ')}.` },
  );
}

/** The client program to run; by default the one on PATH. */
export interface ProgramChoice {
  /**
   * Get the client from npm, into a cache: `true` for the version that Hookline was measured against, or another one.
   * Without it, the client on PATH is run.
   */
  readonly install?: boolean | string;
  /** Another program of this client than the one on PATH. */
  readonly program?: string;
}

/** The chosen client program. Throws AGENT_MISSING. */
export async function clientProgram(
  { agent, client }: RunnableAgent,
  { install = false, program }: ProgramChoice,
): Promise<ClientProgram> {
  if (program !== undefined) return given(program, agent);
  if (install === false) return await onPath(agent);
  const version = install === true ? client.pin.version : install;
  try {
    return { program: await installClient({ ...client.pin, version }), version };
  } catch (cause) {
    throw new HooklineError(
      'AGENT_MISSING',
      `Can't install ${client.pin.package}@${version}: ${messageOf(cause)}`,
      { cause, hint: 'Check the version and the npm registry, or install the agent yourself.' },
    );
  }
}

function given(program: string, { label }: Agent): ClientProgram {
  // Absolute, because it is started in another directory.
  const path = resolve(program);
  if (existsSync(path)) return { program: path, version: null };
  throw new HooklineError('AGENT_MISSING', `No program ${path} for ${label}.`, {
    hint: 'Pass its path as `program`, or leave it out to use the one on PATH.',
  });
}

async function onPath(agent: Agent): Promise<ClientProgram> {
  const { path, version } = await agent.setup.detect({
    env: process.env,
    home: process.env.HOME || homedir(),
    cwd: process.cwd(),
    scope: 'user',
    forwarder: '',
    failClosed: false,
  });
  if (path !== null) return { program: path, version };
  throw new HooklineError('AGENT_MISSING', `${agent.label} is not on PATH.`, {
    hint: 'Install it, or give `install: true` to get it from npm into a cache.',
  });
}
