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
  /** Applied to everything that can hold a user's words before it is written. */
  readonly redact: Redact;
  /** Signs the chain of records, if it is to be verified. */
  readonly signer?: Signer;
  /** After each transaction, with what it has stored. */
  readonly written?: (records: readonly LinkedRow[]) => void;
  /** Makes rows of large calls beside the work, where that is possible. */
  readonly rowElsewhere?: RowElsewhere;
}

/** Also records together what belongs to one turn of the event loop. */
export interface StoreRecorder extends Recorder {
  /** Durable when it resolves, to what `commit` returns. Calls of one turn share a transaction. */
  commitSoon(record: CallRecord): Promise<boolean>;
  /** Before the store is closed. */
  close(): void;
}

/** A call as it is about to be written. */
interface Prepared {
  readonly record: CallRecord;
  readonly row: readonly SqlValue[];
}

/** Keeps calls in the store. One per store and process; readers open their own connection. */
export function createRecorder(db: Database, options: RecorderOptions): StoreRecorder {
  const { redact, signer = null, written = () => {}, rowElsewhere = null } = options;
  const places = createSessionPlaces(db);
  const waiting = openWaitingContext(db, redact);
  const sessionRows = sessionRowsOf(db, redact);
  const chain = openChain(db, signer);
  let stored: LinkedRow[] = [];
  const save = eventSaver(db, places, chain, redact, (record) => stored.push(record));

  /** The event as it was stored, or null; within a transaction. */
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

/** Rejects where that fails, as elsewhere. */
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
    // Slower for all calls, but it is recorded.
    return prepare(record, redact);
  }
}

/** After the transaction. True when the call is stored, and was not before. */
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

/** Inserts a call's row. Gives the event as it was stored, or null when it is stored already or ends what has ended. */
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
    // Its place was given away: by another process, or because the session had left our memory meanwhile.
    const moved = places.again(event);
    return insertLinked(eventRow(record, moved, redact)) ? moved : null;
  };
}
