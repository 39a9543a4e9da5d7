import type { Client } from '../../sandbox/client.ts';
import { RUN_VARIABLE } from '../../wire/run-id.ts';

/**
 * What the agent gets: not the key with which a script may decide, and no word that somebody sits in front of it; and what
 * keeps the client from going on without its hooks, where the user has not chosen it.
 */
export function environment(
  given: NodeJS.ProcessEnv,
  { execEnv }: Pick<Client, 'execEnv'>,
  run: string,
): NodeJS.ProcessEnv {
  const { HOOKLINE_SCRIPT_KEY: _, HOOKLINE_ATTENDED: __, ...env } = given;
  return { ...execEnv, ...env, [RUN_VARIABLE]: run };
}
