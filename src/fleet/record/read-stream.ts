import type { JsMsg } from '@nats-io/jetstream';
import { isMachineId } from '../machine.ts';
import type { FleetSession } from '../server/connection.ts';
import { loadNats } from '../server/nats.ts';
import { pushedMessages, type Reader } from '../server/push-consumer.ts';
import { machineInSubject, type TeamNames } from '../subjects.ts';
import { type AuditItem, readMessage } from './message.ts';

interface ReadOptions {
  readonly stream: string;
  readonly subject: string;
  /** The first position to read. */
  readonly from?: number;
  readonly headersOnly?: boolean;
  /** Only the last message of each subject. */
  readonly lastOnly?: boolean;
  /** The name of the consumer, for logins that may create only that one; otherwise generated. */
  readonly consumer?: string;
  /** Called with the server's time. */
  opened?(serverTime: number): void;
}

/** All current messages of a stream under a subject, in order. */
export async function* readStreamMessages(session: Reader, options: ReadOptions): AsyncGenerator<JsMsg> {
  const { stream, subject, from = 1, headersOnly = false, lastOnly = false, consumer: name } = options;
  const { DeliverPolicy } = (await loadNats()).jetstream;
  const start = lastOnly
    ? { deliver_policy: DeliverPolicy.LastPerSubject }
    : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(1, from) };
  yield* pushedMessages(session, {
    stream,
    subject,
    name,
    opened: options.opened,
    start: { ...start, headers_only: headersOnly },
  });
}

/** IDs of the machines with messages in a stream. */
export async function machinesInStream(
  { jsm }: Pick<FleetSession, 'jsm'>,
  { auditStream, audit }: TeamNames,
): Promise<readonly string[]> {
  const { state } = await jsm.streams.info(auditStream, { subjects_filter: audit });
  const named = new Set(Object.keys(state.subjects ?? {}).map(machineInSubject));
  // Other names are forged, and may contain anything.
  return [...named].filter(isMachineId).sort();
}

/** What a machine has sent. Leaves out messages that aren't ours. */
export async function auditItemsOf(
  session: Reader,
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

/** IDs of the messages under a subject, from a position on. Reads only headers. */
export async function idsInStream(
  session: Reader,
  { stream, subject, from, consumer }: Pick<ReadOptions, 'stream' | 'subject' | 'from' | 'consumer'>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const message of readStreamMessages(session, {
    stream,
    subject,
    headersOnly: true,
    ...(from === undefined ? {} : { from }),
    ...(consumer === undefined ? {} : { consumer }),
  })) {
    const id = message.headers?.get(MSG_ID);
    if (id) ids.add(id);
  }
  return ids;
}
