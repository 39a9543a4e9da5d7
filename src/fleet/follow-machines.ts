import type { JsMsg } from '@nats-io/jetstream';
import type { FleetSession } from './connection.ts';
import type { FleetEvent } from './fleet-event.ts';
import { type FollowedSession, followMessages } from './follow-stream.ts';
import { shortId } from './machine.ts';
import { byName, MOST_MACHINES, type ReportedMachine, readReport } from './machine-report.ts';
import { readStreamMessages } from './read-stream.ts';
import type { TeamNames } from './subjects.ts';

/** The machines of a team, as they say of themselves. */
export interface KnownMachines {
  /** In the order of their names. */
  list(): readonly ReportedMachine[];
  /** What people call it; with its id where several are called so. */
  nameOf(id: string): string;
  take(id: string, report: ReportedMachine | null): void;
  clear(): void;
}

export function createKnownMachines(): KnownMachines {
  const known = new Map<string, ReportedMachine>();
  const named = new Map<string, number>();

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
      if (name === undefined) return shortId(id);
      return named.get(name) === 1 ? name : `${name} (${shortId(id)})`;
    },
    take(id, report) {
      if (report === null) return drop(id);
      const before = known.get(id);
      // An old report has a signature, too: whoever can write there must not bring it back.
      if (before && Date.parse(before.at) > Date.parse(report.at)) return;
      if (!before && known.size >= MOST_MACHINES) return;
      drop(id);
      known.set(id, report);
      count(report.name, 1);
    },
    clear() {
      known.clear();
      named.clear();
    },
  };
}

/** An event with what people call its machine. */
export type NamedFleetEvent = FleetEvent & { readonly machineName: string };

export function withMachineName(event: FleetEvent, machines: Pick<KnownMachines, 'nameOf'>): NamedFleetEvent {
  return { ...event, machineName: machines.nameOf(event.machine) };
}

const OPERATION = 'KV-Operation';

/** Takes in what every machine has reported, and each report that follows, until the signal. */
export async function followMachines(
  session: FollowedSession,
  { machinesBucket }: Pick<TeamNames, 'machinesBucket'>,
  machines: KnownMachines,
  signal: AbortSignal,
  opened: () => void = () => {},
): Promise<void> {
  const before = `$KV.${machinesBucket}.`;
  const options = { stream: `KV_${machinesBucket}`, subject: `${before}>`, signal, opened };
  for await (const message of followMessages(session, options)) takeIn(message, before, machines);
}

/** What every machine has reported by now. */
export async function readMachines(
  session: Pick<FleetSession, 'js'>,
  { machinesBucket }: Pick<TeamNames, 'machinesBucket'>,
): Promise<KnownMachines> {
  const machines = createKnownMachines();
  const before = `$KV.${machinesBucket}.`;
  const options = { stream: `KV_${machinesBucket}`, subject: `${before}>` };
  for await (const message of readStreamMessages(session, options)) takeIn(message, before, machines);
  return machines;
}

function takeIn({ subject, headers, data }: JsMsg, before: string, machines: KnownMachines): void {
  const id = subject.slice(before.length);
  const isGone = Boolean(headers?.get(OPERATION));
  const report = isGone ? null : readReport(id, data);
  // What the machine has not signed does not replace what it has. Administrators delete those that are no more.
  if (isGone || report !== null) machines.take(id, report);
}
