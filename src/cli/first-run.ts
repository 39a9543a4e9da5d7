import { existsSync } from 'node:fs';
import { homePaths } from '../home/paths.ts';
import { forwarderPath } from '../wire/forwarder-settings.ts';
import { isAtTerminal } from './confirm.ts';

/** Somebody is at the terminal, and nothing was ever set up here. A daemon that was only started counts for nothing. */
export function isFirstRun(): boolean {
  const { root, config } = homePaths();
  return isAtTerminal() && ![forwarderPath(root), config].some((path) => existsSync(path));
}
