import type { JsMsg } from '@nats-io/jetstream';
import { isMachineId, shortMachineId } from '../machine.ts';
import { readStreamMessages } from '../record/read-stream.ts';
import type { FleetSession } from '../server/connection.ts';
import { type FollowedSession, followMessages } from '../server/follow-stream.ts';
import type { Reader } from '../server/push-consumer.ts';
import type { TeamNames } from '../subjects.ts';
import type { FleetEvent } from './fleet-event.ts';
import { byName, MOST_MACHINES, type ReportedMachine, readReport } from './report.ts';

/** The machines of a team, by their own reports. */
export interface KnownMachines {
  /** Sorted by name. */
  list(): readonly ReportedMachine[];
  /** Its display name, with the ID if several machines share the name. */
  nameOf(id: string): string;
  has(id: string): boolean;
  /** @param isNewest true for the machine's newest value */
  take(id: string, report: ReportedMachine | null, about?: { readonly isNewest: boolean }): void;
  /** IDs whose newest value that machine hasn't signed: something else overwrote its report. */
  overwritten(): readonly string[];
  /** The newest value of this machine isn't signed by it. */
  doubt(id: string): void;
  clear(): void;
}

export function createKnownMachines(): KnownMachines {
  const known = new Map<string, ReportedMachine>();
  const named = new Map<string, number>();
  const doubted = new Set<string>();

  function count(name: string, by: number): void {
    const so = (named.get(name) ?? 0) + by;
    if (so > 0) named.set(name, so);
    else named.delete(name);
  }

  function drop(id: string): void {
    const before = known.get(id);
    if (before) count(before.name, -1);
    known.delete(id);
  }

  return {
    list: () => [...known.values()].sort(byName),
    nameOf(id) {
      const name = known.get(id)?.name;
      if (name === undefined) return shortMachineId(id);
      return named.get(name) === 1 ? name : `${name} (${shortMachineId(id)})`;
    },
    overwritten: () => [...doubted].sort(),
    doubt(id) {
      if (doubted.size < MOST_MACHINES) doubted.add(id);
    },
    has: (id) => known.has(id),
    take(id, report, { isNewest } = { isNewest: false }) {
      if (isNewest) doubted.delete(id);
      if (report === null) return drop(id);
      const before = known.get(id);
      // An old report is signed too, and must not be replayed by another writer.
      if (before && Date.parse(before.at) > Date.parse(report.at)) return;
      if (!before && known.size >= MOST_MACHINES) return;
      drop(id);
      known.set(id, report);
      count(report.name, 1);
    },
    clear() {
      known.clear();
      named.clear();
      doubted.clear();
    },
  };
}

/** An event with its machine's display name. */
export type NamedFleetEvent = FleetEvent & { readonly machineName: string };

export function withMachineName(event: FleetEvent, machines: Pick<KnownMachines, 'nameOf'>): NamedFleetEvent {
  return { ...event, machineName: machines.nameOf(event.machine) };
}

const OPERATION = 'KV-Operation';

/** Reads every machine's report, and later ones, until the signal. */
export async function followMachines(
  session: FollowedSession & Pick<FleetSession, 'jsm'>,
  { machinesBucket }: Pick<TeamNames, 'machinesBucket'>,
  machines: KnownMachines,
  signal: AbortSignal,
  opened: () => void = () => {},
): Promise<void> {
  const clock = serverClock(opened);
  const options = { ...bucketOf(machinesBucket), signal, opened: clock.opened };
  for await (const message of followMessages(session, options)) {
    const isKnown = machines.has(idIn(message));
    takeIn(message, machines, clock);
    if (!isKnown) await takeSigned(session, machinesBucket, machines, idIn(message));
  }
}

/** Reads the current report of every machine. */
export async function readMachines(
  session: Reader,
  { machinesBucket }: Pick<TeamNames, 'machinesBucket'>,
): Promise<KnownMachines> {
  const machines = createKnownMachines();
  const clock = serverClock();
  const options = { ...bucketOf(machinesBucket), lastOnly: true, opened: clock.opened };
  for await (const message of readStreamMessages(session, options)) takeIn(message, machines, clock);
  for (const id of machines.overwritten()) await takeSigned(session, machinesBucket, machines, id);
  return machines;
}

const bucketOf = (bucket: string, id = '>') => ({ stream: `KV_${bucket}`, subject: `$KV.${bucket}.${id}` });

const idIn = ({ subject }: Pick<JsMsg, 'subject'>) => subject.split('.')[2] ?? '';

/** If a report was overwritten, the bucket may still have the previous one. */
async function takeSigned(
  session: Reader,
  bucket: string,
  machines: KnownMachines,
  id: string,
): Promise<void> {
  if (!machines.overwritten().includes(id)) return;
  const clock = serverClock();
  const options = { ...bucketOf(bucket, id), opened: clock.opened };
  for await (const { data, time } of readStreamMessages(session, options)) {
    const report = readReport(id, data);
    if (report !== null) machines.take(id, { ...report, heardAt: clock.here(time) });
  }
}

/** Converts the server's time to local time: all clocks involved may differ by hours. */
function serverClock(opened: () => void = () => {}) {
  let ahead = 0;
  return {
    opened(serverTime: number): void {
      ahead = Date.now() - serverTime;
      opened();
    },
    here: (time: Date) => time.getTime() + ahead,
  };
}

function takeIn(
  message: Pick<JsMsg, 'subject' | 'headers' | 'data' | 'time'>,
  machines: KnownMachines,
  clock: Pick<ReturnType<typeof serverClock>, 'here'>,
): void {
  const id = idIn(message);
  const isGone = Boolean(message.headers?.get(OPERATION));
  const report = isGone ? null : readReport(id, message.data);
  // An unsigned value doesn't replace a report. Administrators delete machines that no longer exist.
  const heard = report && { ...report, heardAt: clock.here(message.time) };
  if (isGone || heard !== null) machines.take(id, heard, { isNewest: true });
  else if (isMachineId(id)) machines.doubt(id);
}
