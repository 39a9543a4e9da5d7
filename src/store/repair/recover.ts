import {
  CHECKPOINT_EVERY,
  checkpointText,
  checkpointWriter,
  INSERT_CHECKPOINT,
  isSignedBy,
  type LinkedRow,
  type MachineSigner,
  openChain,
} from '../chain/chain.ts';
import { checkRecords } from '../chain/check-records.ts';
import { writeLostGap } from '../chain/gaps.ts';
import { checkpointsIn, hashBefore, WHOLE_CHAIN } from '../chain/read-chain.ts';
import { type Database, isUniqueViolation, type SqlValue } from '../database/driver.ts';
import { EVENT_COLUMNS, type FoundRecord, INSERT_EVENT } from '../read/event-columns.ts';
import { copyTable, SESSIONS_OF_EVENTS } from './copy-tables.ts';
import { readFound, readingDamaged } from './read-damaged.ts';

/** What came of taking over a database that was set aside. */
export interface Recovered {
  /** Back in their place in the chain. */
  readonly recovered: number;
  /** Recorded again at the end of the chain: what they build on cannot be read. */
  readonly again: number;
  /** There already. */
  readonly known: number;
  /** Not what was recorded, so they stay where they are. */
  readonly damaged: number;
  /** Of another history, or deleted on purpose since. */
  readonly foreign: number;
}

interface Lost {
  readonly first: number;
  readonly last: number;
  readonly hash: string;
}

/** Takes what can be read out of a damaged database, each event once, completely or not at all. */
export function recoverFrom(path: string, db: Database, signer: MachineSigner): Recovered {
  return readingDamaged(path, (old) => {
    const found = [...readFound(old)];
    return db.transaction(() => takeOver(db, old, found, signer));
  });
}

function takeOver(
  db: Database,
  old: Database,
  found: readonly FoundRecord[],
  signer: MachineSigner,
): Recovered {
  const proof = checkRecords(found, (link) => hashBefore(db, link + 1) ?? gapHash(old, link));
  const hasId = db.prepare('SELECT 1 FROM events WHERE id = ?');
  const isKnown = ({ row: [id = null] }: Pick<LinkedRow, 'row'>) => hasId.get(id) !== undefined;
  const news = proof.proven.filter((record) => !isKnown(record));
  const lost = lostGaps(db).filter((gap) => endsAsNoted(gap, proof.proven));
  const fitting = news.filter(({ link }) => lost.some(({ first, last }) => link >= first && link <= last));
  const unknown = proof.unproven.filter(({ values: row }) => !isKnown({ row }));
  const older = found.filter(({ link, values: row }) => link === null && !isKnown({ row }));

  const append = appender(db, signer);
  const placed = insertPlaced(db, fitting);
  for (const { values } of older) db.prepare(INSERT_EVENT).run(...values, null, null);
  const conflicting = fitting.filter((record) => !placed.includes(record)).map(({ row }) => row);
  const again = [...unknown.map(({ values }) => values), ...conflicting].filter(append).length;
  if (placed.length + older.length + again > 0) putInOrder(db);
  for (const gap of lost) closeGap(db, gap, placed, signer);
  signRecovered(db, old, placed, signer);
  for (const table of ['approvals', 'transcripts']) copyTable(old, db, table);
  db.exec(SESSIONS_OF_EVENTS);
  return {
    recovered: placed.length + older.length,
    again,
    known: proof.proven.length - news.length,
    damaged: proof.damaged,
    foreign: news.length - fitting.length,
  };
}

function lostGaps(db: Database): readonly Lost[] {
  const rows = db.prepare("SELECT * FROM chain_gaps WHERE reason = 'lost' ORDER BY first_link").all();
  return rows.map((row) => ({
    first: Number(row.first_link),
    last: Number(row.last_link),
    hash: String(row.hash),
  }));
}

/** A history whose end is another one than was noted is not ours. */
function endsAsNoted({ last, hash }: Lost, proven: readonly LinkedRow[]): boolean {
  const end = proven.find(({ link }) => link === last);
  return end === undefined || end.hash === hash;
}

/** Null also where it cannot be read. */
function gapHash(db: Database, link: number): string | null {
  try {
    return hashBefore(db, link + 1);
  } catch {
    return null;
  }
}

/** Without those whose place in their session was given to another event since. */
function insertPlaced(db: Database, records: readonly LinkedRow[]): readonly LinkedRow[] {
  const insert = db.prepare(INSERT_EVENT);
  return records.filter(({ row, link, hash }) => {
    try {
      return insert.run(...row, link, hash).changes === 1;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return false;
    }
  });
}

const SEQUENCE = EVENT_COLUMNS.indexOf('sequence');
const SESSION = EVENT_COLUMNS.indexOf('session_id');
const SOURCE = EVENT_COLUMNS.indexOf('source');

/** Records at the end of the chain, and of the session where its place there is taken. */
function appender(db: Database, signer: MachineSigner): (values: readonly SqlValue[]) => boolean {
  const insert = db.prepare(INSERT_EVENT);
  const taken = db.prepare(
    'SELECT max(sequence) AS last, max(sequence = ?) AS taken FROM events WHERE session_id = ? AND source = ?',
  );
  const chain = openChain(db, signer);
  chain.begin();
  return (values) => {
    const session = taken.get(values[SEQUENCE] ?? 0, values[SESSION] ?? '', values[SOURCE] ?? '');
    const row = session?.taken === 1 ? values.with(SEQUENCE, Number(session.last) + 1) : values;
    const record = chain.next(row);
    if (insert.run(...row, record.link, record.hash).changes === 0) return false;
    chain.add(record);
    return true;
  };
}

/** Rows are read in the order of the chain. What was made from them is made again. */
function putInOrder(db: Database): void {
  db.exec(`
    CREATE TEMP TABLE places (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
    INSERT INTO places SELECT row, row_number() OVER (ORDER BY link IS NOT NULL, link, row) FROM events;
    UPDATE events SET row = -(SELECT new FROM places WHERE old = row);
    UPDATE events SET row = -row;
    DROP TABLE places;
    DELETE FROM observations;
    UPDATE observed SET event_row = 0;
    DELETE FROM turns_due;
    UPDATE turns_indexed SET observation_row = 0, backlog_row = 0;`);
}

/** What is still missing of a gap is a smaller one, or several. */
function closeGap(db: Database, gap: Lost, records: readonly LinkedRow[], signer: MachineSigner): void {
  const inside = records.filter(({ link }) => link >= gap.first && link <= gap.last);
  if (inside.length === 0) return;
  db.prepare('DELETE FROM chain_gaps WHERE first_link = ?').run(gap.first);
  let next = gap.first;
  for (const { link, before } of inside) {
    if (link > next) writeLostGap(db, { first: next, last: link - 1, hash: before }, signer);
    next = link + 1;
  }
  if (next <= gap.last) writeLostGap(db, { first: next, last: gap.last, hash: gap.hash }, signer);
}

/** With the signatures of then, where they can be read. */
function signRecovered(
  db: Database,
  old: Database,
  records: readonly LinkedRow[],
  signer: MachineSigner,
): void {
  const links = new Map(records.map((record) => [record.link, record]));
  const insert = db.prepare(INSERT_CHECKPOINT);
  const key = signer.publicKey();
  for (const checkpoint of readableCheckpoints(old)) {
    const { link, hash, at, signature } = checkpoint;
    if (links.get(link)?.hash === hash && isSignedBy(key, checkpointText(checkpoint), signature))
      insert.run(link, hash, at, signature);
  }
  const sign = checkpointWriter(db, signer);
  for (const { link, hash } of records) if (link % CHECKPOINT_EVERY === 0) sign({ link, hash });
}

function readableCheckpoints(db: Database): ReturnType<typeof checkpointsIn> {
  try {
    return checkpointsIn(db, WHOLE_CHAIN.first, WHOLE_CHAIN.last);
  } catch {
    return [];
  }
}
