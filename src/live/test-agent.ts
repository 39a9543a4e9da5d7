import { checkAgent } from './check-agent.ts';
import { clientProgram, type ProgramChoice, runnableAgent } from './client-program.ts';
import { type GivenRules, textOfRules } from './given-rules.ts';
import type { AgentReport } from './report.ts';

export interface TestAgentOptions extends ProgramChoice {
  /** Rules to be tried as well: YAML, or the URL of a file. Those that deny are tried, each with one call. */
  readonly rules?: GivenRules;
  /** How far it is: turns of the client that are done, of all. */
  onProgress?(done: number, total: number): void;
  /** Ends everything that was started, and makes the promise reject. */
  readonly signal?: AbortSignal;
}

/**
 * Runs an agent's real client, and finds out whether it sends what Hookline reads and does with the answers what
 * Hookline relies on: what `hookline doctor --live` finds out about the agents of a machine. Takes about a minute.
 * @example
 * import assert from 'node:assert/strict';
 * import { testAgent } from 'hookline/testing';
 *
 * const [, , agent = ''] = process.argv;
 * const { rows } = await testAgent(agent, { install: '2.1.0' });
 * assert.deepEqual(rows.filter(({ state }) => state === 'broken'), []);
 */
export async function testAgent(agentId: string, options: TestAgentOptions = {}): Promise<AgentReport> {
  const { rules } = options;
  const found = await runnableAgent(agentId);
  const { program } = await clientProgram(found, options);
  const files = rules === undefined ? [] : [{ name: 'rules.yaml', text: await textOfRules(rules) }];
  return await checkAgent({ ...options, ...found, program, rules: files });
}
