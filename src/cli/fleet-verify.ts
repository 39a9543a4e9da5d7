import { openConnection } from '../fleet/connection.ts';
import { itemsOf, machinesInStream } from '../fleet/read-stream.ts';
import { readFleetSecrets, readFleetSettings } from '../fleet/settings.ts';
import { teamNames } from '../fleet/subjects.ts';
import { type StreamReport, verifyMachine } from '../fleet/verify.ts';
import type { HomePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import { counted } from '../model/text.ts';
import { paint } from './paint.ts';

/** Checks the stream of the team, machine by machine: nobody has to be believed, only the keys of the machines. */
export async function verifyFleet(
  paths: HomePaths,
  machine: string | undefined,
  json: boolean,
): Promise<number> {
  const settings = readFleetSettings(paths);
  if (settings === null)
    throw new HooklineError('NOT_FOUND', 'This machine is in no fleet.', {
      hint: '`hookline fleet join <url>` joins one.',
    });
  const names = teamNames(settings.team);
  const session = await openConnection(settings, readFleetSecrets(paths, settings));
  try {
    const known = await machinesInStream(session, names);
    const wanted = known.filter((id) => machine === undefined || id.startsWith(machine));
    if (wanted.length === 0)
      throw new HooklineError('NOT_FOUND', `The stream has nothing of ${machine ?? 'any machine'}.`);
    let isSound = true;
    for (const id of wanted) {
      const report = verifyMachine(id, await itemsOf(session, names, id));
      isSound &&= report.problems.length === 0;
      console.log(json ? JSON.stringify(report) : reportLines(report).join('\n'));
    }
    return isSound ? 0 : 1;
  } finally {
    await session.nats.close();
  }
}

function reportLines(report: StreamReport): readonly string[] {
  const { machine, records, deleted, abridged, signedTo, problems } = report;
  const counts = [
    counted(records, 'record'),
    ...(deleted > 0 ? [`${deleted} deleted on purpose`] : []),
    ...(abridged > 0 ? [`${abridged} not sent in full and so not checked`] : []),
    signedTo > 0 ? `signed up to link ${signedTo}` : 'nothing signed yet',
  ];
  const mark = problems.length === 0 ? paint.green('ok') : paint.red('changed');
  return [`${machine}  ${mark}  ${counts.join(', ')}`, ...problems.map(({ message }) => `  ${message}`)];
}
