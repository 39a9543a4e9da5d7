import { existsSync } from 'node:fs';
import { homePaths } from '../home/paths.ts';
import { forwarderPath } from '../wire/forwarder-settings.ts';
import { isAtTerminal } from './confirm.ts';

/** True in a terminal before the first setup. A running daemon doesn't count as set up. */
export function isFirstRun(): boolean {
  const { root, config } = homePaths();
  return isAtTerminal() && ![forwarderPath(root), config].some((path) => existsSync(path));
}
