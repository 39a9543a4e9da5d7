import { existsSync } from 'node:fs';
import { homeFolder, homePaths } from '../home/paths.ts';
import { isAtTerminal } from './confirm.ts';

/** Somebody is at the terminal, and nothing was ever set up or recorded here. */
export function isNewHere(): boolean {
  const { setup, database, config } = homePaths(homeFolder());
  return isAtTerminal() && ![setup, database, config].some(existsSync);
}
