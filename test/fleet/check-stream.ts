import type { FleetSession } from '../../src/fleet/connection.ts';
import type { AuditItem } from '../../src/fleet/message.ts';
import { readMessage } from '../../src/fleet/message.ts';
import { readStreamMessages } from '../../src/fleet/read-stream.ts';
import type { TeamNames } from '../../src/fleet/subjects.ts';
import { verifyMachine } from '../../src/fleet/verify.ts';
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
  const sum = { records: 0, notes: 0, lost: 0, doubled: 0, unproven: 0 };
  for (const machine of machines) {
    const found = await readMachine(session, names, machine);
    sum.records += found.ids.length;
    sum.notes += found.notes;
    const unique = new Set(found.ids);
    sum.doubled += found.ids.length - unique.size;
    sum.lost += machine.ids.filter((id) => !unique.has(id)).length;
    sum.unproven += verifyMachine(machine.id, found.items).problems.length;
  }
  const { state } = await session.jsm.streams.info(names.auditStream);
  const { messages, bytes } = state;
  const strange = messages - sum.records - sum.notes;
  return { ...sum, messages, strange, bytesPerRecord: bytes / Math.max(1, messages) };
}

async function readMachine(
  session: Pick<FleetSession, 'js'>,
  { auditStream, auditOf }: TeamNames,
  { id: machine }: SimulatedMachine,
) {
  const ids: string[] = [];
  const items: AuditItem[] = [];
  let notes = 0;
  const subject = auditOf(machine);
  for await (const message of readStreamMessages(session, { stream: auditStream, subject })) {
    const item = readMessage(message);
    if (item !== null) items.push(item);
    if (item?.kind === 'record') ids.push(message.headers?.get('Nats-Msg-Id') ?? '');
    else if (item !== null) notes += 1;
  }
  return { ids, items, notes };
}
