import type { SqlValue } from '../../store/database/driver.ts';
import { EVENT_COLUMNS, plain } from '../../store/read/event-columns.ts';
import type { ArchiveEntry } from './entry.ts';
import { isOfTheRecord, type Postgres } from './postgres.ts';

type RecordEntry = ArchiveEntry & { readonly kind: 'record' };
type NoteEntry = ArchiveEntry & { readonly kind: 'gap' | 'checkpoint' };

/** What was new. */
export interface Stored {
  readonly records: number;
  readonly refused: number;
}

const NUMBERS: readonly string[] = ['sequence', 'prompt_number', 'tool_number', 'timestamp', 'link'];
const COLUMNS = [
  'machine',
  'message_id',
  ...EVENT_COLUMNS,
  'link',
  'hash',
  'before',
  'left_out',
  'parts',
  'words',
];

const typeOf = (column: string) =>
  NUMBERS.includes(column) ? 'bigint' : column === 'latency_ms' ? 'double precision' : 'text';
const given = COLUMNS.map((column, at) => `$${at + 1}::${typeOf(column)}[]`).join(', ');

/** In a fixed order, so that two servers storing the same records can't deadlock. */
const INSERT_EVENTS = `INSERT INTO hookline.events (${COLUMNS.join(', ')})
  SELECT ${COLUMNS.map((column) => (column === 'words' ? 'words::tsvector' : column)).join(', ')}
  FROM unnest(${given}) AS given (${COLUMNS.join(', ')})
  ORDER BY machine, message_id ON CONFLICT (machine, message_id) DO NOTHING
  RETURNING machine, message_id, hash`;

/** Stores what is new, each item once, in one transaction that fails as a whole. */
export function storeEntries(
  db: Postgres,
  stream: string,
  entries: readonly ArchiveEntry[],
): Promise<Stored> {
  return db.transaction(async () => {
    const records = entries.filter((entry) => entry.kind === 'record');
    await noteMachines(db, entries);
    const kept = new Set((await insertEvents(db, records)).map(keyOf));
    const others = await clashing(
      db,
      records.filter((entry) => !kept.has(keyOf(rowOf(entry)))),
    );
    for (const entry of entries)
      if (entry.kind === 'gap' || entry.kind === 'checkpoint') await insertNote(db, entry);
    const refused = [...others, ...entries.filter((entry) => entry.kind === 'refused')];
    let count = 0;
    for (const entry of refused) count += await insertRefused(db, stream, entry);
    return { records: kept.size, refused: count };
  });
}

/**
 * One bad message must not block the others. In that case each is stored separately, and what PostgreSQL rejects is
 * set aside.
 */
export async function storeEach(
  db: Postgres,
  stream: string,
  entries: readonly ArchiveEntry[],
): Promise<Stored> {
  let [records, refused] = [0, 0];
  for (const entry of entries) {
    const stored = await storeEntries(db, stream, [entry]).catch((error: unknown) => {
      if (!isOfTheRecord(error)) throw error;
      const { origin } = entry;
      const reason = 'PostgreSQL does not take it.';
      return storeEntries(db, stream, [{ kind: 'refused', reason, origin }]);
    });
    records += stored.records;
    refused += stored.refused;
  }
  return { records, refused };
}

async function noteMachines(db: Postgres, entries: readonly ArchiveEntry[]): Promise<void> {
  const machines = new Set(entries.flatMap((entry) => ('machine' in entry ? [entry.machine] : [])));
  if (machines.size > 0)
    await db.query(
      'INSERT INTO hookline.machines (machine) SELECT unnest($1::text[]) ORDER BY 1 ON CONFLICT DO NOTHING',
      [[...machines].sort()],
    );
}

async function insertEvents(db: Postgres, records: readonly RecordEntry[]) {
  if (records.length === 0) return [];
  const rows = records.map((entry): readonly SqlValue[] => [
    entry.machine,
    entry.messageId,
    ...entry.values,
    entry.item.link,
    plain(entry.item.hash),
    entry.item.before === null ? null : plain(entry.item.before),
    plain(JSON.stringify(entry.item.leftOut)),
    plain(JSON.stringify(entry.item.parts)),
    entry.words,
  ]);
  return db.query(
    INSERT_EVENTS,
    COLUMNS.map((_, at) => rows.map((row) => row[at])),
  );
}

const rowOf = ({ machine, messageId, item }: RecordEntry) => ({
  machine,
  message_id: messageId,
  hash: plain(item.hash),
});

function keyOf({ machine, message_id, hash }: Readonly<Record<string, SqlValue>>): string {
  return JSON.stringify([machine, message_id, hash]);
}

/** Records whose ID belongs to a different record: one of the two is forged. The later one is put aside as refused. */
async function clashing(db: Postgres, records: readonly RecordEntry[]): Promise<readonly ArchiveEntry[]> {
  if (records.length === 0) return [];
  const known = await db.query(
    `SELECT machine, message_id, hash FROM hookline.events
     WHERE (machine, message_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [records.map(({ machine }) => machine), records.map(({ messageId }) => messageId)],
  );
  const keys = new Set(known.map(keyOf));
  return records
    .filter((entry) => !keys.has(keyOf(rowOf(entry))))
    .map(({ origin }) => ({ kind: 'refused', reason: 'Another record has its id.', origin }));
}

async function insertNote(db: Postgres, { machine, item }: NoteEntry): Promise<void> {
  const { hash, at, signature, publicKey } = item;
  const [table, columns, values] =
    item.kind === 'gap'
      ? ['chain_gaps', 'first_link, last_link, reason', [item.first, item.last, plain(item.reason)]]
      : ['chain_checkpoints', 'link', [item.link]];
  const all = [machine, plain(hash), at, plain(signature), plain(publicKey ?? ''), ...values];
  await db.query(
    `INSERT INTO hookline.${table} (machine, hash, at, signature, public_key, ${columns})
     VALUES (${all.map((_, n) => `$${n + 1}`).join(', ')}) ON CONFLICT DO NOTHING`,
    all,
  );
}

const MOST_BYTES = 1 << 20;

async function insertRefused(db: Postgres, stream: string, entry: ArchiveEntry): Promise<number> {
  const { sequence, subject, body } = entry.origin;
  const reason = entry.kind === 'refused' ? entry.reason : '';
  const rows = await db.query(
    `INSERT INTO hookline.refused (stream, sequence, subject, reason, body) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING sequence`,
    [stream, sequence, plain(subject), reason, Buffer.from(body.subarray(0, MOST_BYTES))],
  );
  return rows.length;
}
