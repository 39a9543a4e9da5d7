import type { HookEvent } from '../../model/events.ts';
import type { CallRecord, Recorder } from '../../model/recording.ts';
import { learnEnvValues } from '../../redact/env-values.ts';
import { type Chain, type LinkedRow, openChain, type Signer } from '../chain/chain.ts';
import { type Database, isUniqueViolation, type SqlValue } from '../database/driver.ts';
import { INSERT_EVENT, plain } from '../read/event-columns.ts';
import { createBatches } from './batches.ts';
import { isBig } from './big-value.ts';
import type { Redact } from './event-json.ts';
import { eventRow, plainId } from './event-row.ts';
import { createSessionPlaces, type SessionPlaces } from './session-places.ts';
import { type SessionRows, sessionRowsOf } from './session-row.ts';
import { openWaitingContext } from './waiting-context.ts';

type RowElsewhere = (record: CallRecord) => Promise<readonly SqlValue[]>;

interface RecorderOptions {
  /** Applied before writing to everything that may contain a user's words. */
  readonly redact: Redact;
  /** Signs the chain of records, if the history is to be verifiable. */
  readonly signer?: Signer;
  /** Called after each transaction with what it stored. */
  readonly written?: (records: readonly LinkedRow[]) => void;
  /** Builds rows of large calls in a worker, if possible. */
  readonly rowElsewhere?: RowElsewhere;
}

/** Also records several calls of one turn of the event loop together. */
export interface StoreRecorder extends Recorder {
  /**
   * Resolves with the result of `commit` once the call is durable. Calls of one turn of the event loop share a
   * transaction.
   */
  commitSoon(record: CallRecord): Promise<boolean>;
  /** Called before the store is closed. */
  close(): void;
}

/** A call about to be written. */
interface Prepared {
  readonly record: CallRecord;
  readonly row: readonly SqlValue[];
}

/** Writes calls to the store. One per store and process; readers open their own connection. */
export function createRecorder(db: Database, options: RecorderOptions): StoreRecorder {
  const { redact, signer = null, written = () => {}, rowElsewhere = null } = options;
  const places = createSessionPlaces(db);
  const waiting = openWaitingContext(db, redact);
  const sessionRows = sessionRowsOf(db, redact);
  const chain = openChain(db, signer);
  let stored: LinkedRow[] = [];
  const save = eventSaver(db, places, chain, redact, (record) => stored.push(record));

  /** Returns the event as stored, or null. Runs within a transaction. */
  const write = (call: Prepared, sessions: SessionRows): HookEvent | null => {
    const event = save(call);
    if (event === null) return null;
    sessions.add(event);
    for (const id of call.record.delivered) waiting.remove(id);
    if (call.record.deferred !== null) waiting.add(event, call.record.deferred);
    return event;
  };

  const writeAll = (calls: readonly Prepared[]): readonly boolean[] => {
    const events = db.transaction(() => {
      chain.begin();
      stored = [];
      const sessions = sessionRows();
      const outcomes = calls.map((call) => write(call, sessions));
      sessions.write();
      return outcomes;
    });
    chain.commit();
    written(stored);
    return calls.map(({ record }, at) => settle(record, events[at] ?? null, places));
  };
  const writeSoon = createBatches(writeAll);

  return {
    place: places.place,
    waitingContext: waiting.list,
    close: chain.close,
    commit: (record) => writeAll([prepare(record, redact)])[0] === true,
    commitSoon: (record) =>
      waiting.whileClaimed(record.delivered, () =>
        rowElsewhere && isBig(record.event.native)
          ? prepareElsewhere(record, redact, rowElsewhere).then(writeSoon)
          : prepareHere(record, redact, writeSoon),
      ),
  };
}

function prepare(record: CallRecord, redact: Redact): Prepared {
  learnEnvValues(record.event);
  return { record, row: eventRow(record, record.event, redact) };
}

/** Rejects on failure, like the other path. */
function prepareHere(
  record: CallRecord,
  redact: Redact,
  write: (call: Prepared) => Promise<boolean>,
): Promise<boolean> {
  try {
    return write(prepare(record, redact));
  } catch (error) {
    return Promise.reject(error);
  }
}

async function prepareElsewhere(
  record: CallRecord,
  redact: Redact,
  rowElsewhere: RowElsewhere,
): Promise<Prepared> {
  learnEnvValues(record.event);
  try {
    return { record, row: await rowElsewhere(record) };
  } catch {
    // Slower for all calls, but the call is recorded.
    return prepare(record, redact);
  }
}

/** Runs after the transaction. True if the call was newly stored. */
function settle(record: CallRecord, stored: HookEvent | null, places: SessionPlaces): boolean {
  if (stored === null) places.giveBack(record.event);
  else noteRefusal(stored, record, places);
  return stored !== null;
}

/** An agent may send the reason back as the next prompt. */
function noteRefusal(event: HookEvent, { response }: CallRecord, places: SessionPlaces): void {
  if ('stopHookActive' in event && response.decision === 'deny' && response.reason)
    places.refusedEnd(event, response.reason);
}

/**
 * Inserts a call's row. Returns the event as stored, or null if it was already stored or ends a session that has
 * ended.
 */
function eventSaver(
  db: Database,
  places: SessionPlaces,
  chain: Chain,
  redact: Redact,
  stored: (record: LinkedRow) => void,
): (call: Prepared) => HookEvent | null {
  const insert = db.prepare(INSERT_EVENT);
  const newestType = db.prepare(
    'SELECT type FROM events WHERE session_id = ? AND source = ? ORDER BY sequence DESC LIMIT 1',
  );
  /** Some agents end a session twice, with nothing in between. */
  const hasEndedAlready = ({ type, sessionId, source }: HookEvent) =>
    type === 'session_end' && newestType.get(plainId(sessionId), plain(source))?.type === 'session_end';

  const insertLinked = (row: readonly SqlValue[]): boolean => {
    const record = chain.next(row);
    if (insert.run(...row, record.link, record.hash).changes === 0) return false;
    chain.add(record);
    stored(record);
    return true;
  };

  return ({ record, row }) => {
    const { event } = record;
    if (hasEndedAlready(event)) return null;
    try {
      return insertLinked(row) ? event : null;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    // Another process took its place, or the session had left our memory.
    const moved = places.again(event);
    return insertLinked(eventRow(record, moved, redact)) ? moved : null;
  };
}
