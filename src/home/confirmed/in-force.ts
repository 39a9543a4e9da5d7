import { readOwnFile } from '../../platform/bounded-files.ts';
import type { Config } from '../config.ts';
import type { HomePaths } from '../paths.ts';
import { type Confirmed, openConfirmed } from './confirmed.ts';

/** The settings of a home that apply now: what its file says, but nothing weaker that no person has agreed to. */
export function configInForce(paths: HomePaths, confirmed: Confirmed = openConfirmed(paths)): Config {
  return confirmed.config(readOwnFile(paths.config) ?? '');
}

/**
 * The same for a guard that has to work whatever the file says: nobody knows what it was meant to say about
 * failures, so they deny.
 */
export function configInForceOrStrictest(
  paths: HomePaths,
  confirmed: Confirmed = openConfirmed(paths),
): Config {
  try {
    return configInForce(paths, confirmed);
  } catch {
    return { ...confirmed.lastConfig(), failure: 'closed' };
  }
}
