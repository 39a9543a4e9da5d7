import { setImmediate as letOthersRun } from 'node:timers/promises';
import { waitFor } from '../../platform/wait.ts';
import type { FleetContext, FleetPart } from '../part.ts';
import type { FleetSession } from '../server/connection.ts';
import { outboxConsumer } from '../subjects.ts';
import { type AuditStream, ensureAuditStream } from './audit-stream.ts';
import { openBatch } from './batch.ts';
import { type Cursor, openCursorFile } from './cursor.ts';
import { type LocalRecord, openLocalRecord } from './local-record.ts';
import { type AuditMessage, recordMessage } from './message.ts';
import { idsInStream } from './read-stream.ts';
import { openSettled } from './settled.ts';
import { unsentGap } from './unsent-gap.ts';
import { createWake } from './wake.ts';

/*
 * Sends the record of this machine to the stream of the team: each record once, in whatever way connections, servers and
 * daemons end.
 *
 * The outbox is not a copy: it is a cursor, and what follows it in the local store. A batch is sent, and the cursor moves when the
 * server has stored all of it; a cursor is kept when it is settled (see settled.ts). So every message after the cursor was sent after all those before it, and stands later in the
 * stream than `cursor.sequence`. After anything that went wrong, and at each start, the ids of what stands there are read, and
 * only what is missing is sent: also what fell between two others, which the last message alone would not tell. That needs no
 * memory of the server, and is right after days. What is left is a copy on a connection that broke, and that the server reads
 * after we have looked: it comes within minutes, and the server refuses ids that it stored in the last ten (see audit-stream).
 * A lost cursor only means that all ids of this machine are read.
 */

/** Messages in transit at a time. */
const BATCH = 128;
const BATCH_BYTES = 4 << 20;
/** Read and written at once; small, so that a call in between doesn't wait noticeably. */
const STEP = 8;
/** For headers, and what the server adds. */
const HEADER_BYTES = 4 << 10;
/** Backfill leaves capacity of the server and the network to others. */
const MOST_PER_SECOND = 2_000;
/** Deletions send no signal, so this checks for them. Retries after a failure: `run-part.ts`. */
const DELETIONS_LOOK_MS = 15_000;

export function openOutbox(context: FleetContext): FleetPart {
  const { home, machine, names, settings } = context;
  const record = openLocalRecord(home.db, machine, names);
  const settled = openSettled(openCursorFile(home.paths.fleetCursor, home.log));
  const wake = createWake();
  const unsubscribe = home.onStored(wake.note);
  let cursor = settled.cursor;
  let sent = 0;

  async function run(session: FleetSession): Promise<void> {
    while (!session.signal.aborted) await send(session);
  }

  /** Runs until the session ends, or until confirmed records may be missing from the stream. */
  async function send(session: FleetSession): Promise<void> {
    const stream = await ensureAuditStream(session, settings);
    const from = startAt(settled.cursor, stream, context, record);
    settled.begin(from, stream.leader);
    const sender = await openSender({ session, stream, context, record, from });
    const ask = () => session.jsm.streams.info(stream.name);
    while (!session.signal.aborted) {
      const began = performance.now();
      const count = await sender.step();
      sent += count;
      cursor = sender.cursor();
      if (await settled.isInDoubt(cursor, ask)) return;
      if (sender.isDone()) await wake.wait(DELETIONS_LOOK_MS, session.signal);
      else await waitFor((count / MOST_PER_SECOND) * 1_000 - (performance.now() - began), session.signal);
    }
  }

  return {
    name: 'audit',
    run,
    status: () => {
      const link = Math.max(cursor?.link ?? 0, settings.after);
      return { sent, sentTo: link, waiting: Math.max(0, record.last() - link) };
    },
    close: unsubscribe,
  };
}

/** Starts after what the stream is known to have. A cursor of another stream, or of another history, is ignored. */
function startAt(
  known: Cursor | null,
  stream: AuditStream,
  { machine, settings: { after } }: FleetContext,
  record: LocalRecord,
): Cursor {
  const id = `${stream.name} ${stream.created}`;
  if (known?.stream === id && known.machine === machine.id && known.link >= after && record.has(known))
    return known;
  return { stream: id, machine: machine.id, link: after, hash: '', checkpoint: after, sequence: 0 };
}

interface SenderOptions {
  readonly session: FleetSession;
  readonly stream: AuditStream;
  readonly context: FleetContext;
  readonly record: LocalRecord;
  readonly from: Cursor;
}

interface Sender {
  /** Sends the next batch. Returns the number of messages new to the stream. */
  step(): Promise<number>;
  isDone(): boolean;
  cursor(): Cursor;
}

async function openSender({ session, stream, context, record, from }: SenderOptions): Promise<Sender> {
  const { machine, names } = context;
  const present = await idsInStream(session, {
    stream: stream.name,
    subject: names.auditOf(machine.id),
    from: from.sequence + 1,
    consumer: outboxConsumer(machine.id),
  });
  const unsentGaps = openUnsentGaps({ session, stream, context, record });
  const maxBytes =
    Math.min(stream.maxBytes ?? Infinity, session.nats.info?.max_payload ?? 1 << 20) - HEADER_BYTES;
  const kept = from.sequence === 0 ? await unsentGap(context, record, present) : null;
  // Includes signatures of withheld records, which prove that nothing else is missing.
  let cursor = kept === null ? from : { ...from, checkpoint: kept.sentTo };
  let unsaid = kept === null ? [] : [kept.message];
  let done = false;

  async function step(): Promise<number> {
    const batch = await openBatch(session, stream.name);
    let place: { readonly link: number; readonly hash: string } = cursor;
    done = false;
    while (!done && batch.size() < BATCH && batch.bytes() < BATCH_BYTES) {
      const records = record.after(place, STEP);
      for (const one of records) {
        const message = await recordMessage(one, machine.id, names, maxBytes);
        if (!present.has(message.id)) batch.add(message);
        place = one;
      }
      done = records.length < STEP;
      await letOthersRun();
    }
    const signed = record.checkpoints(cursor.checkpoint, place.link);
    const deleted = await unsentGaps.list();
    for (const { message } of signed) if (!present.has(message.id)) batch.add(message);
    for (const message of [...unsaid, ...deleted]) batch.add(message);
    const last = await batch.acknowledged();
    unsaid = [];
    unsentGaps.sent(deleted);
    const { link, hash } = place;
    const checkpoint = signed.at(-1)?.link ?? cursor.checkpoint;
    const sequence = Math.max(cursor.sequence, last);
    const hasMoved = link > cursor.link || checkpoint !== cursor.checkpoint || sequence > cursor.sequence;
    if (hasMoved) cursor = { ...cursor, link, hash, checkpoint, sequence };
    return batch.size();
  }

  return { step, isDone: () => done, cursor: () => cursor };
}

/** Signed gaps. The stream is queried for them only if there are any, because the query scans all of it. */
function openUnsentGaps({ session, stream, context, record }: Omit<SenderOptions, 'from'>) {
  const { machine, names, settings } = context;
  let known: Set<string> | null = null;
  return {
    async list(): Promise<readonly AuditMessage[]> {
      const all = record.gaps(settings.after, known ?? new Set());
      if (known !== null || all.length === 0) return all;
      const subject = names.chain(machine.id, 'gap');
      const consumer = outboxConsumer(machine.id);
      known = new Set(await idsInStream(session, { stream: stream.name, subject, consumer }));
      return record.gaps(settings.after, known);
    },
    sent(messages: readonly AuditMessage[]): void {
      for (const { id } of messages) known?.add(id);
    },
  };
}
