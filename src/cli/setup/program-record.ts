import { scriptKeyInUse } from '../../client/request.ts';
import { openAccess } from '../../home/open-access.ts';
import type { HomePaths } from '../../home/paths.ts';
import { programOf } from '../../home/program.ts';
import { changesText, programChanges, readProgramRecord, recordProgram } from '../../home/program-record.ts';
import { folded } from '../../terminal/fold.ts';

/**
 * Records the hashes of Hookline's program if they are unknown. If it differs from the recorded one, only a person may
 * do so: an agent that replaced the program could run setup too.
 */
export async function tellProgramRecord(
  paths: HomePaths,
  isAllowed: (paths: HomePaths) => Promise<boolean> = isByPerson,
): Promise<void> {
  const record = readProgramRecord(paths);
  if (record === null) return recordProgram(paths);
  const changes = await programChanges(paths, record, programOf(paths.root));
  if (changes.length === 0) return;
  const isRenewed = await isAllowed(paths);
  if (isRenewed) await recordProgram(paths);
  const then = isRenewed
    ? 'This one is recorded now.'
    : 'Run `hookline setup` in a terminal that was not opened by an agent. Only a person can record this program.';
  console.log(folded(`${changesText(changes)} ${then}`));
}

async function isByPerson(paths: HomePaths): Promise<boolean> {
  // On Windows, no command line can be checked for a person.
  if (process.platform === 'win32') return true;
  const caller = { kind: 'process', pid: process.pid, scriptKey: scriptKeyInUse() } as const;
  // An agent that runs `setup` is not a rejected attempt.
  const { allowed } = await openAccess(paths, () => {}).decide('settings', caller);
  return allowed;
}
