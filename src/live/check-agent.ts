import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import type { Client } from '../sandbox/client.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { playTurns } from './play-turns.ts';
import { type AgentReport, isUnstarted } from './report.ts';
import { type RuleFile, ruleChecks } from './user-rules.ts';

/** Options of `checkAgent`, and callbacks for its progress. */
export interface CheckAgentOptions {
  readonly agent: Agent;
  readonly client: Client;
  /** Absolute path of the client's program. */
  readonly program: string;
  /** The user's rule files, whose deny rules are tested with one call each. */
  readonly rules?: readonly RuleFile[];
  /** Progress: completed client turns of the total. */
  onProgress?(done: number, total: number): void;
  /** Stops everything that was started and rejects the promise. */
  readonly signal?: AbortSignal;
  /** For tests of the checks: spoils what setup has installed in a sandbox. */
  readonly afterSetup?: (sandbox: Sandbox) => Promise<void>;
}

/**
 * Runs a client against a model on loopback, in separate directories, and checks that it follows Hookline's answers as
 * Hookline expects. Changes nothing of the user's and leaves nothing behind.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<AgentReport> {
  const { agent, rules = [] } = options;
  const started = performance.now();
  // Shared, so that not every turn unpacks what a client unpacks at its first start.
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

/** Runs in a separate home, because some clients create files as soon as they start. */
async function versionOf({ agent, program }: CheckAgentOptions, home: string): Promise<string | null> {
  const env = { PATH: [dirname(program), process.env.PATH ?? ''].join(delimiter) };
  const nowhere = { home, cwd: home, forwarder: '', failClosed: false };
  const { version } = await agent.setup.detect({ env, scope: 'user', ...nowhere });
  return version;
}
