import type { AuditItem } from '../../src/fleet/record/message.ts';
import { readMessage } from '../../src/fleet/record/message.ts';
import { readStreamMessages } from '../../src/fleet/record/read-stream.ts';
import { verifyMachine } from '../../src/fleet/record/verify.ts';
import type { FleetSession } from '../../src/fleet/server/connection.ts';
import { machineInSubject, type TeamNames } from '../../src/fleet/subjects.ts';
import type { SimulatedMachine } from './machine.ts';

/** What the stream has of all machines, compared with what they recorded. */
export interface StreamCheck {
  readonly messages: number;
  readonly records: number;
  /** Signatures. */
  readonly notes: number;
  readonly lost: number;
  readonly doubled: number;
  /** Messages that no machine of the simulation has sent. */
  readonly strange: number;
  /** Problems that `fleet verify` would report. */
  readonly unproven: number;
  /** Of a record as the server stores it: subject, headers and body. */
  readonly bytesPerRecord: number;
}

export async function checkStream(
  session: Pick<FleetSession, 'js' | 'jsm'>,
  names: TeamNames,
  machines: readonly SimulatedMachine[],
): Promise<StreamCheck> {
  const { state } = await session.jsm.streams.info(names.auditStream);
  const found = await readAll(session, names);
  const sum = { records: 0, notes: 0, lost: 0, doubled: 0, unproven: 0 };
  for (const machine of machines) {
    const { ids, items } = found.get(machine.id) ?? NOTHING;
    const unique = new Set(ids);
    sum.records += ids.length;
    sum.notes += items.length - ids.length;
    sum.doubled += ids.length - unique.size;
    sum.lost += machine.ids.filter((id) => !unique.has(id)).length;
    sum.unproven += verifyMachine(machine.id, items).problems.length;
  }
  const { messages, bytes } = state;
  const strange = messages - sum.records - sum.notes;
  return { ...sum, messages, strange, bytesPerRecord: bytes / Math.max(1, messages) };
}

interface FoundOfMachine {
  /** Of its records. */
  readonly ids: string[];
  readonly items: AuditItem[];
}

const NOTHING: FoundOfMachine = { ids: [], items: [] };

/** In one go: a server looks through the whole stream for the messages of one machine. */
async function readAll(
  session: Pick<FleetSession, 'js' | 'jsm'>,
  { auditStream, audit }: TeamNames,
): Promise<ReadonlyMap<string, FoundOfMachine>> {
  const found = new Map<string, FoundOfMachine>();
  for await (const message of readStreamMessages(session, { stream: auditStream, subject: audit })) {
    const machine = machineInSubject(message.subject);
    const own = found.get(machine) ?? { ids: [], items: [] };
    found.set(machine, own);
    const item = readMessage(message);
    if (item === null) continue;
    own.items.push(item);
    if (item.kind === 'record') own.ids.push(message.headers?.get('Nats-Msg-Id') ?? '');
  }
  return found;
}
