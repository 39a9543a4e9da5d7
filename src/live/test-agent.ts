import { readFile } from 'node:fs/promises';
import { checkAgent } from './check-agent.ts';
import { clientProgram, runnableAgent } from './client-program.ts';
import type { AgentReport } from './report.ts';

export interface TestAgentOptions {
  /** Get the client from npm, as for `runClient`. Without it, the client on PATH is run. */
  readonly install?: boolean | string;
  /** Another program of this client than the one on PATH. */
  readonly program?: string;
  /** Rules to be tried as well: YAML, or the URL of a file. Those that deny are tried, each with one call. */
  readonly rules?: string | URL;
  /** How far it is: turns of the client that are done, of all. */
  onProgress?(done: number, total: number): void;
  /** Ends everything that was started, and makes the promise reject. */
  readonly signal?: AbortSignal;
}

/**
 * Runs an agent's real client, and finds out whether it sends what Hookline reads and does with the answers what
 * Hookline relies on: what `hookline doctor --live` finds out about the agents of a machine. Takes about a minute.
 * @example
 * const { rows } = await testAgent(agent, { install: '2.1.0' });
 * assert.deepEqual(rows.filter(({ state }) => state === 'broken'), []);
 */
export async function testAgent(agentId: string, options: TestAgentOptions = {}): Promise<AgentReport> {
  const { install, program: given, rules, ...rest } = options;
  const found = await runnableAgent(agentId);
  const program = given ?? (await clientProgram(found, install)).program;
  const text = rules instanceof URL ? await readFile(rules, 'utf8') : rules;
  const files = text === undefined ? [] : [{ name: 'rules.yaml', text }];
  return await checkAgent({ ...found, program, rules: files, ...rest });
}
