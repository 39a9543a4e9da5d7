import { isMachineId } from '../../fleet/machine.ts';
import type { FleetEvent } from '../../fleet/machines/fleet-event.ts';
import {
  createKnownMachines,
  type KnownMachines,
  readMachines,
  withMachineName,
} from '../../fleet/machines/follow-machines.ts';
import { type FleetQuery, type FoundInStream, searchStream } from '../../fleet/machines/search-stream.ts';
import { rowCells } from '../../history/calls/row-cells.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { counted, dayOf } from '../../model/text.ts';
import { cellsOf, cutMiddle } from '../../terminal/cells.ts';
import { terminalLine } from '../../terminal/visible.ts';
import { usage } from '../command.ts';
import { paint } from '../output/paint.ts';
import { lineWidth, paintedOutcome } from '../output/row-line.ts';
import { countOf } from '../values.ts';
import { type FilterOptions, filtersOf } from './filters.ts';
import { withFleet } from './session.ts';

const DEFAULT_LIMIT = 50;
/** The number of newest messages that are searched. */
const LOOKED_AT = 50_000;

/** Shows events of all machines, filtered by words, machine, agent, type and decision. */
export async function fleetEvents(
  paths: HomePaths,
  text: string,
  options: FilterOptions & { readonly since?: string },
): Promise<number> {
  if (options.since !== undefined)
    throw usage('fleet', '--since works with `fleet search`; `fleet events` shows only the newest events.');
  const limit = countOf('fleet', 'limit', options.limit, DEFAULT_LIMIT, 1);
  const asked: FleetQuery = { ...(text === '' ? {} : { text }), ...filtersOf(options) };
  const { found, machines } = await withFleet(paths, async (session) => {
    // A login that can't read the machines' reports sees their IDs.
    const known = await readMachines(session, session.names).catch(createKnownMachines);
    const { machine } = options;
    const query = machine === undefined ? asked : { ...asked, machine: machineNamed(machine, known) };
    const limits = { limit, most: LOOKED_AT };
    return { machines: known, found: await searchStream(session, session.names, query, limits) };
  });
  if (options.json) {
    const events = found.events.map((event) => withMachineName(event, machines));
    console.log(JSON.stringify({ ...found, events }));
  } else for (const line of foundLines(found, machines)) console.log(line);
  return 0;
}

/** Finds a machine by its name or the start of its ID. */
function machineNamed(given: string, machines: KnownMachines): string {
  const all = machines.list();
  const byName = all.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  const fitting = byName.length > 0 ? byName : all.filter(({ id }) => id.startsWith(given.toLowerCase()));
  const [found, another] = fitting;
  if (found && !another) return found.id;
  // A machine may have sent records but no report.
  if (!found && isMachineId(given)) return given;
  throw new HooklineError(
    another ? 'USAGE' : 'NOT_FOUND',
    another ? `Several machines are named ${given}.` : `Unknown machine ${given}.`,
    { hint: 'Run `hookline fleet machines` to list IDs; the start of one is enough.' },
  );
}

function foundLines(
  { events, looked, stored, leftOut }: FoundInStream,
  machines: Pick<KnownMachines, 'nameOf'>,
): readonly string[] {
  const far =
    looked < stored
      ? `in the newest ${looked} of ${counted(stored, 'message')}`
      : `in ${counted(stored, 'message')}`;
  const strange =
    leftOut === 0
      ? ''
      : ` ${counted(leftOut, 'message')} rejected: signature check failed. Run \`hookline fleet verify\` for details.`;
  return [
    ...fleetLines(events, machines.nameOf),
    paint.dim(`${counted(events.length, 'event')} ${far}.${strange}`),
  ];
}

/** One line per event, with a heading for each day but today. */
export function fleetLines(
  events: readonly FleetEvent[],
  nameOf: (machine: string) => string,
): readonly string[] {
  let day = dayOf(Date.now());
  return events.flatMap((event) => {
    const its = dayOf(event.at);
    const heading = its === day ? [] : [paint.dim(its)];
    day = its;
    return [...heading, fleetLine(event, nameOf(event.machine))];
  });
}

const MACHINE = 16;
const AGENT = 8;

/** One event on one line, with the name of its machine. */
export function fleetLine(event: FleetEvent, machine: string): string {
  const name = cutMiddle(machine, MACHINE);
  const who = `${name}${' '.repeat(MACHINE - cellsOf(name))} ${event.agent.padEnd(AGENT)} `;
  const { id, at, agent: source, sessionId, project: place, outcome, words, subject } = event;
  const row = { key: id, id, at, source, sessionId, agentId: null, place, outcome, words, subject };
  const columns = { width: lineWidth() - cellsOf(who), who: false, id: false };
  const cells = rowCells({ ...row, name: event.name, durationMs: null }, columns);
  const line = [paint.dim(cells.time), who, cells.text, paintedOutcome(outcome, cells.words)];
  return terminalLine(line.join('')).trimEnd();
}
