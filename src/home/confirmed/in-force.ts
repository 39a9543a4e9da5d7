import { readOwnFile } from '../../platform/bounded-files.ts';
import type { Config } from '../config.ts';
import type { HomePaths } from '../paths.ts';
import { type Confirmed, openConfirmed } from './confirmed.ts';

/** The settings of a home that apply now: those in its file, except weaker ones that no person has confirmed. */
export function configInForce(paths: HomePaths, confirmed: Confirmed = openConfirmed(paths)): Config {
  return confirmed.config(readOwnFile(paths.config) ?? '');
}

/**
 * The same for a guard that must work with any file. The failure mode of an unreadable file is unknown, so failures
 * deny.
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
