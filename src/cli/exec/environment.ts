import type { Client } from '../../sandbox/client.ts';
import { RUN_VARIABLE } from '../../wire/run-id.ts';

/**
 * The agent's environment: without the script key and without signs of a person at a terminal, and with what keeps the
 * agent from continuing without its hooks, unless the user chose otherwise.
 */
export function environment(
  given: NodeJS.ProcessEnv,
  { execEnv }: Pick<Client, 'execEnv'>,
  run: string,
): NodeJS.ProcessEnv {
  const { HOOKLINE_SCRIPT_KEY: _, HOOKLINE_ATTENDED: __, ...env } = given;
  return { ...execEnv, ...env, [RUN_VARIABLE]: run };
}
