import { dirname } from 'node:path';
import { HooklineError } from '../../../model/errors.ts';
import { readSettings } from '../../setup/settings-json.ts';
import type { SetupContext } from '../../setup/setup.ts';

/** The forwarder lies in `bin` of the home. */
export function homeOf({ forwarder }: SetupContext): string {
  return dirname(dirname(forwarder));
}

/** Null for a file that is not there or can't be read. */
export function readText(path: string): string | null {
  try {
    return readSettings(path);
  } catch (error) {
    if (error instanceof HooklineError) return null;
    throw error;
  }
}
