import type { Consumer, ConsumerInfo, JsMsg } from '@nats-io/jetstream';
import { type AuditStream, ensureAuditStream } from '../record/audit-stream.ts';
import { readStreamMessages } from '../record/read-stream.ts';
import type { FleetSession } from '../server/connection.ts';
import { loadNats } from '../server/nats.ts';
import type { FleetSettings } from '../settings.ts';
import { teamNames } from '../subjects.ts';
import { type ArchiveEntry, archiveEntryOf } from './entry.ts';
import { openInbox } from './inbox.ts';
import { openPosition, type StreamPosition } from './position.ts';
import { isOfTheRecord } from './postgres.ts';
import type { ReconnectingDatabase } from './reconnecting-database.ts';
import { type Stored, storeEach, storeEntries } from './write.ts';

/*
 * Reads the stream with a durable consumer, and acknowledges a message once the transaction that stores it is
 * committed. An unacknowledged message is delivered again but stored once, because the tables accept each record only
 * once by machine and ID. The server's list of acknowledged messages may differ from the database, which may have
 * been restored from a copy. So the database keeps the position up to which it is complete in `streams.floor`. After
 * each connect, everything that the server considers done after that position is read again.
 */

const BATCH = 256;
/** Per transaction. */
const BATCH_BYTES = 8 << 20;
/** Messages delivered to a server that ended are delivered again after this time. */
const ACK_MS = 10_000;
const NANOSECONDS = 1e6;
const NOTE_FLOOR_EVERY = 20;
const CONSUMER_NOT_FOUND = 10014;

export interface FollowOptions {
  readonly settings: FleetSettings;
  readonly database: ReconnectingDatabase;
  /** Name of the durable consumer. */
  readonly consumer: string;
  /** Called after each transaction with what was new. */
  stored(what: Stored): void;
  /** For tests. */
  readonly ackMs?: number;
}

/** Stores everything in the stream, present and future, until the session ends or the database reconnects. */
export async function followStream(session: FleetSession, options: FollowOptions): Promise<void> {
  const { settings, database } = options;
  const { signal } = session;
  const stream = await ensureAuditStream(session, settings);
  const place = await openPosition(database, `${stream.name} ${stream.created}`, signal);
  if (place === null) return;
  const acknowledged = await ensureConsumer(session, stream, place.floor(), options);
  await readAgain(session, stream, place, acknowledged, options);
  await storeWhatComes(
    session,
    await session.js.consumers.get(stream.name, options.consumer),
    place,
    options,
  );
}

async function storeWhatComes(
  { signal }: FleetSession,
  consumer: Consumer,
  place: StreamPosition,
  { database, stored }: FollowOptions,
): Promise<void> {
  const inbox = await openInbox(consumer, BATCH);
  try {
    for (let turn = 1; !signal.aborted && place.isCurrent(); turn += 1) {
      const messages = await inbox.next(signal);
      if (await storeMessages(database, place.stream, messages, stored, signal))
        for (const message of messages) message.ack();
      if (signal.aborted || (messages.length > 0 && turn % NOTE_FLOOR_EVERY !== 0)) continue;
      await place.note((await consumer.info()).ack_floor.stream_seq);
    }
  } finally {
    await inbox.close().catch(() => {});
  }
}

/** True once all are committed; false if the session ended before. */
async function storeMessages(
  database: ReconnectingDatabase,
  stream: string,
  messages: readonly JsMsg[],
  stored: FollowOptions['stored'],
  signal: AbortSignal,
): Promise<boolean> {
  for (const entries of batches(messages)) {
    const what = await database.run(
      (db) =>
        storeEntries(db, stream, entries).catch((error: unknown) => {
          if (!isOfTheRecord(error)) throw error;
          return storeEach(db, stream, entries);
        }),
      signal,
    );
    if (what === null) return false;
    stored(what);
  }
  return true;
}

/** A small message may contain a large record. */
function* batches(messages: readonly JsMsg[]): Generator<readonly ArchiveEntry[]> {
  let [batch, bytes]: [ArchiveEntry[], number] = [[], 0];
  for (const message of messages) {
    const entry = archiveEntryOf(message);
    batch.push(entry);
    bytes += sizeOf(entry);
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function sizeOf(entry: ArchiveEntry): number {
  if (entry.kind !== 'record') return entry.origin.body.length;
  return entry.values.reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 8), 0);
}

/** Position up to which the server considers everything stored. */
async function ensureConsumer(
  { jsm }: FleetSession,
  { name }: AuditStream,
  floor: number,
  { consumer, settings, ackMs = ACK_MS }: FollowOptions,
): Promise<number> {
  const known = await jsm.consumers.info(name, consumer).catch(notFound);
  if (known !== null) return known.ack_floor.stream_seq;
  const { AckPolicy, DeliverPolicy } = (await loadNats()).jetstream;
  await jsm.consumers.add(name, {
    durable_name: consumer,
    filter_subject: teamNames(settings.team).audit,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ackMs * NANOSECONDS,
    max_ack_pending: 2 * BATCH,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: floor + 1,
  });
  return floor;
}

async function notFound(error: unknown): Promise<ConsumerInfo | null> {
  const { JetStreamApiError } = (await loadNats()).jetstream;
  if (error instanceof JetStreamApiError && error.code === CONSUMER_NOT_FOUND) return null;
  throw error;
}

/**
 * Reads again what the server considers stored but the database doesn't confirm. Most of it is there, and isn't
 * stored twice.
 */
async function readAgain(
  session: FleetSession,
  { name }: AuditStream,
  place: StreamPosition,
  upTo: number,
  { settings, database, stored }: FollowOptions,
): Promise<void> {
  const from = place.floor() + 1;
  if (from > upTo) return;
  const subject = teamNames(settings.team).audit;
  const store = (page: readonly JsMsg[]) =>
    storeMessages(database, place.stream, page, stored, session.signal);
  let page: JsMsg[] = [];
  for await (const message of readStreamMessages(session, { stream: name, subject, from })) {
    if (message.seq > upTo) break;
    page.push(message);
    if (page.length < BATCH) continue;
    if (!(await store(page))) return;
    page = [];
  }
  if (await store(page)) await place.note(upTo);
}
