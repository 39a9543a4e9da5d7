import { existsSync } from 'node:fs';
import { limit, ok, problem } from '../../../agents/setup/findings.ts';
import { openConfirmed } from '../../../home/confirmed/confirmed.ts';
import { programOf } from '../../../home/program.ts';
import {
  changesText,
  programChanges,
  RECORD_GONE,
  RENEW,
  readProgramRecord,
} from '../../../home/program-record.ts';
import { PROGRAM_CHANGED } from '../../../model/alert.ts';
import { forwarderPath } from '../../../wire/forwarder-settings.ts';
import type { Diagnosis, Examined } from '../check.ts';

/** Checks that the running program is the one that was set up. */
export async function program({
  paths,
  config,
}: Pick<Examined, 'paths' | 'config'>): Promise<readonly Diagnosis[]> {
  // Before `setup` there is nothing to compare.
  if (!existsSync(forwarderPath(paths.root))) return [];
  const record = readProgramRecord(paths);
  if (record === null && openConfirmed(paths).hasProgram)
    return [problem(PROGRAM_CHANGED, RECORD_GONE, RENEW)];
  if (record === null) {
    const message = "No record of Hookline's own program exists, so changes to it would go unnoticed.";
    return [limit('program-unrecorded', message, 'Run `hookline setup` in a terminal.')];
  }
  const changes = await programChanges(paths, record, programOf(paths.root, config.develop));
  if (changes.length > 0) return [problem(PROGRAM_CHANGED, changesText(changes), RENEW)];
  return [ok('program', "Hookline's own program is unchanged since setup.")];
}
