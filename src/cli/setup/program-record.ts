import { scriptKeyInUse } from '../../client/request.ts';
import { openAccess } from '../../home/open-access.ts';
import type { HomePaths } from '../../home/paths.ts';
import { programOf } from '../../home/program.ts';
import { changesText, programChanges, readProgramRecord, recordProgram } from '../../home/program-record.ts';
import { folded } from '../../terminal/fold.ts';

/**
 * Records what Hookline's program is where that is not known yet. Where it is another one than before, only for a
 * person: an agent that has replaced it could set it up, too.
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
  // There no command line counts as a person's.
  if (process.platform === 'win32') return true;
  const caller = { kind: 'process', pid: process.pid, scriptKey: scriptKeyInUse() } as const;
  // That an agent runs `setup` is no attempt at anything.
  const { allowed } = await openAccess(paths, () => {}).decide('settings', caller);
  return allowed;
}
