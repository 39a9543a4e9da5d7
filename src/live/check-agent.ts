import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import type { Client } from '../sandbox/client.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { playTurns } from './play-turns.ts';
import { type AgentReport, isUnstarted } from './report.ts';
import { type RuleFile, ruleChecks } from './user-rules.ts';

/** What `checkAgent` needs, and what it tells meanwhile. */
export interface CheckAgentOptions {
  readonly agent: Agent;
  readonly client: Client;
  /** The client's own program: a full path. */
  readonly program: string;
  /** The user's rule files: those that deny are tried, each with one call. */
  readonly rules?: readonly RuleFile[];
  /** How far it is: turns of the client that are done, of all. */
  onProgress?(done: number, total: number): void;
  /** Ends everything that was started, and makes the promise reject. */
  readonly signal?: AbortSignal;
  /** For tests of the checks: spoils what setup has installed in a sandbox. */
  readonly afterSetup?: (sandbox: Sandbox) => Promise<void>;
}

/**
 * Runs a client against a model on loopback, in folders of its own, and finds out whether it does with Hookline's
 * answers what Hookline relies on. Nothing of the user's is changed, and nothing is left behind.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<AgentReport> {
  const { agent, rules = [] } = options;
  const started = performance.now();
  // What a client unpacks at its first start is not for every turn to unpack again.
  const cache = await mkdtemp(join(tmpdir(), 'hookline-live-'));
  try {
    const version = await versionOf(options, cache);
    const own = await ruleChecks(agent, rules);
    const played = await playTurns({ ...options, cache }, own.checks);
    return {
      agent: agent.id,
      label: agent.label,
      version,
      rows: isUnstarted({ rows: played }) ? played : [...played, ...own.untried],
      tookMs: Math.round(performance.now() - started),
    };
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

/** Asked in a home of its own: some clients make files as soon as they start. */
async function versionOf({ agent, program }: CheckAgentOptions, home: string): Promise<string | null> {
  const env = { PATH: [dirname(program), process.env.PATH ?? ''].join(delimiter) };
  const nowhere = { home, cwd: home, forwarder: '', failClosed: false };
  const { version } = await agent.setup.detect({ env, scope: 'user', ...nowhere });
  return version;
}
