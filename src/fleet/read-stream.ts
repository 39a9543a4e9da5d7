import type { ConsumerConfig, JsMsg } from '@nats-io/jetstream';
import type { FleetSession } from './connection.ts';
import { isMachineId } from './machine.ts';
import { type AuditItem, readMessage } from './message.ts';
import { loadNats } from './nats.ts';
import { machineInSubject, type TeamNames } from './subjects.ts';

const PAGE = 500;
const PAGE_MS = 5_000;

interface ReadOptions {
  readonly stream: string;
  readonly subject: string;
  /** The first place in the stream that is read. */
  readonly from?: number;
  readonly headersOnly?: boolean;
  /** So many are asked for at a time. */
  readonly page?: number;
}

/** All that a stream has now below a subject, in its order. */
export async function* readStreamMessages(
  { js }: Pick<FleetSession, 'js'>,
  { stream, subject, from = 1, headersOnly = false, page = PAGE }: ReadOptions,
): AsyncGenerator<JsMsg> {
  const { DeliverPolicy } = (await loadNats()).jetstream;
  const start: Pick<ConsumerConfig, 'deliver_policy' | 'opt_start_seq'> = {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, from),
  };
  const consumer = await js.consumers.get(stream, {
    filter_subjects: subject,
    headers_only: headersOnly,
    ...start,
  });
  try {
    // As it was when the consumer was made: the server need not count again.
    let left = (await consumer.info(true)).num_pending;
    while (left > 0) {
      let got = 0;
      for await (const message of await consumer.fetch({ max_messages: page, expires: PAGE_MS })) {
        left = message.info.pending;
        got += 1;
        yield message;
        if (left === 0) break;
      }
      if (got === 0) throw new Error('the server did not give what the stream has');
    }
  } finally {
    await consumer.delete().catch(() => {});
  }
}

/** Ids of the machines that a stream has something of. */
export async function machinesInStream(
  { jsm }: Pick<FleetSession, 'jsm'>,
  { auditStream, audit }: TeamNames,
): Promise<readonly string[]> {
  const { state } = await jsm.streams.info(auditStream, { subjects_filter: audit });
  const named = new Set(Object.keys(state.subjects ?? {}).map(machineInSubject));
  // Others are names that somebody made up, and may be written to look like anything.
  return [...named].filter(isMachineId).sort();
}

/** What a machine has sent. Messages that are none of ours are left out. */
export async function itemsOf(
  session: Pick<FleetSession, 'js'>,
  { auditStream, auditOf }: TeamNames,
  machine: string,
): Promise<readonly AuditItem[]> {
  const items: AuditItem[] = [];
  for await (const message of readStreamMessages(session, {
    stream: auditStream,
    subject: auditOf(machine),
  })) {
    const item = readMessage(message);
    if (item !== null) items.push(item);
  }
  return items;
}

const MSG_ID = 'Nats-Msg-Id';

/** Ids of the messages that a stream has below a subject, from a place on. Only headers are read. */
export async function idsInStream(
  session: Pick<FleetSession, 'js'>,
  stream: string,
  subject: string,
  from: number,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const message of readStreamMessages(session, { stream, subject, from, headersOnly: true })) {
    const id = message.headers?.get(MSG_ID);
    if (id) ids.add(id);
  }
  return ids;
}
