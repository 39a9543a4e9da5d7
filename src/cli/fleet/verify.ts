import { createKnownMachines, readMachines } from '../../fleet/machines/follow-machines.ts';
import type { AuditItem } from '../../fleet/record/message.ts';
import { auditItemsOf, machinesInStream } from '../../fleet/record/read-stream.ts';
import { type StreamReport, verifyMachine } from '../../fleet/record/verify.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import { paint } from '../output/paint.ts';
import { type DatabaseOptions, withArchive } from './database.ts';
import { withFleet } from './session.ts';

/** Reads the records of a team, from the stream or the archive. */
interface Source {
  readonly name: string;
  machines(): Promise<readonly string[]>;
  items(machine: string): Promise<readonly AuditItem[]>;
  /** The machine's name; empty if unknown. */
  nameOf(machine: string): string;
}

/** Verifies the records of each machine against the keys of the machines alone. */
export function verifyFleet(
  paths: HomePaths,
  machine: string | undefined,
  json: boolean,
  options: DatabaseOptions = {},
): Promise<number> {
  const verify = (source: Source) => verifySource(source, machine, json);
  return options.database === undefined ? withStream(paths, verify) : withDatabase(options, verify);
}

async function verifySource(source: Source, machine: string | undefined, json: boolean): Promise<number> {
  const known = await source.machines();
  const wanted = known.filter(
    (id) => machine === undefined || id.startsWith(machine) || source.nameOf(id) === machine,
  );
  if (wanted.length === 0)
    throw new HooklineError('NOT_FOUND', `The ${source.name} has no events of ${machine ?? 'any machine'}.`);
  let isSound = true;
  for (const id of wanted) {
    const report = verifyMachine(id, await source.items(id));
    isSound &&= report.problems.length === 0 && report.unverifiable.length === 0;
    console.log(json ? JSON.stringify(report) : reportLines(report, source.nameOf(id)).join('\n'));
  }
  return isSound ? 0 : 1;
}

function withStream<T>(paths: HomePaths, work: (source: Source) => Promise<T>): Promise<T> {
  return withFleet(paths, async (session) => {
    // A login that can't read the machines' reports sees their IDs.
    const machines = await readMachines(session, session.names).catch(createKnownMachines);
    const reported = new Map(machines.list().map(({ id, name }) => [id, name]));
    return work({
      name: 'stream',
      machines: () => machinesInStream(session, session.names),
      items: (id) => auditItemsOf(session, session.names, id),
      nameOf: (id) => reported.get(id) ?? '',
    });
  });
}

async function withDatabase<T>(options: DatabaseOptions, work: (source: Source) => Promise<T>): Promise<T> {
  const { archivedItems, machinesInArchive } = await import('../../fleet/archive/read-items.ts');
  return withArchive(options, (db) =>
    work({
      name: 'database',
      machines: () => machinesInArchive(db),
      items: (id) => archivedItems(db, id),
      nameOf: () => '',
    }),
  );
}

function reportLines(report: StreamReport, name: string): readonly string[] {
  const { machine, records, deleted, kept, abridged, unverifiable, signedTo, problems } = report;
  const counts = [
    counted(records, 'record'),
    ...(deleted > 0 ? [`${deleted} deleted on purpose`] : []),
    ...(kept > 0 ? [`${kept} not sent: recorded while not in the fleet`] : []),
    ...(abridged > 0 ? [`${abridged} verified without their largest parts`] : []),
    signedTo > 0 ? `signed up to link ${signedTo}` : 'nothing signed yet',
  ];
  const mark =
    problems.length > 0
      ? paint.red('changed')
      : unverifiable.length > 0
        ? paint.yellow('unverified')
        : paint.green('ok');
  const who = name === '' ? machine : `${name} ${paint.dim(machine)}`;
  return [
    `${who}  ${mark}  ${counts.join(', ')}`,
    ...unverifiableLine(unverifiable),
    ...problems.map(({ message }) => `  ${message}`),
  ];
}

/** The number of links that are listed; more would not help the reader. */
const MOST_NAMED = 5;

function unverifiableLine(links: readonly number[]): readonly string[] {
  if (links.length === 0) return [];
  const named = links.slice(0, MOST_NAMED).join(', ');
  const more = links.length > MOST_NAMED ? ', …' : '';
  return [
    `  ${counted(links.length, 'record')} can't be verified (link ${named}${more}): sent without parts and without their hashes.`,
  ];
}
