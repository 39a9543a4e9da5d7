import { homedir } from 'node:os';
import type { Scope, SetupContext } from '../../agents/setup/setup.ts';
import type { Config } from '../../home/config.ts';
import type { HomePaths } from '../../home/paths.ts';
import { forwarderPath } from '../../wire/forwarder-settings.ts';

/** Facts about this machine that an agent gets, from settings that were already read. */
export function agentContext(
  paths: HomePaths,
  scope: Scope,
  config: Config,
  events: readonly string[] = [],
): SetupContext {
  return {
    env: process.env,
    home: process.env.HOME || homedir(),
    cwd: process.cwd(),
    scope,
    forwarder: forwarderPath(paths.root),
    failClosed: config.failure === 'closed',
    ...(events.length > 0 ? { events } : {}),
  };
}
