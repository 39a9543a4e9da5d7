import type { Database, Row, SqlValue } from '../database/driver.ts';
import { asBytes, asNumber, safeText } from '../database/safe-columns.ts';
import { foundRecord, SAFE_EVENT_COLUMNS } from '../read/event-columns.ts';
import type { Gap, Link } from './chain.ts';
import type { PartHashes } from './record-hash.ts';

/** A range of the chain, in order. */
export type ChainItem =
  | ({
      readonly kind: 'record';
      readonly values: readonly SqlValue[];
      /** Columns left out in transfer, and the hashes that replace them. */
      readonly leftOut?: readonly string[];
      readonly parts?: PartHashes;
    } & Link)
  | ({ readonly kind: 'gap'; readonly signature: string } & Gap)
  | ({ readonly kind: 'checkpoint'; readonly at: number; readonly signature: string } & Link);

export interface LinkRange {
  readonly first: number;
  readonly last: number;
}

export const WHOLE_CHAIN: LinkRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

const PAGE = 500;

/** A gap is placed at its first link, a checkpoint after the link that it signs. */
export function* readChain(db: Database, { first, last }: LinkRange): Generator<ChainItem> {
  const notes = [...gapsIn(db, first, last), ...checkpointsIn(db, first, last)].sort(
    (a, b) => linkOf(a) - linkOf(b),
  );
  let next = 0;
  for (const record of recordsIn(db, first, last)) {
    for (let note = notes[next]; note && linkOf(note) < record.link; note = notes[next]) {
      yield note;
      next += 1;
    }
    yield record;
  }
  yield* notes.slice(next);
}

function linkOf(item: ChainItem): number {
  if (item.kind === 'gap') return item.first - 0.5;
  return item.kind === 'record' ? item.link : item.link + 0.25;
}

/** Number of events older than the chain. */
export function countUnlinked(db: Database): number {
  return Number(db.prepare('SELECT count(*) AS n FROM events WHERE link IS NULL').get()?.n ?? 0);
}

/** Counts forged events: `readChain` doesn't reach them, and they aren't older than the chain. */
export function countOutside(db: Database): number {
  const sql = `SELECT count(*) AS n FROM events
    WHERE row NOT BETWEEN 1 AND ${WHOLE_CHAIN.last} OR link NOT BETWEEN 1 AND ${WHOLE_CHAIN.last}
      OR (link IS NULL AND row > (SELECT min(row) FROM events WHERE row > 0 AND link > 0))`;
  return Number(db.prepare(sql).get()?.n ?? 0);
}

/** The hash before the first record of a range; null if the store doesn't have that record. */
export function hashBefore(db: Database, first: number): string | null {
  const row =
    db.prepare(`SELECT ${asBytes('hash')} FROM events WHERE link = ?`).get(first - 1) ??
    db.prepare(`SELECT ${asBytes('hash')} FROM chain_gaps WHERE last_link = ?`).get(first - 1);
  return safeText(row?.hash);
}

function* recordsIn(db: Database, first: number, last: number): Generator<ChainItem & { kind: 'record' }> {
  const page = db.prepare(
    `SELECT ${SAFE_EVENT_COLUMNS} FROM events
     WHERE row > ? AND row <= ${WHOLE_CHAIN.last} AND link BETWEEN ? AND ? ORDER BY row LIMIT ${PAGE}`,
  );
  for (let after = 0, rows: readonly Row[] = []; ; ) {
    rows = page.all(after, first, last);
    for (const row of rows) {
      after = Number(row.row);
      const { hash, values } = foundRecord(row);
      yield { kind: 'record', link: Number(row.link), hash, values };
    }
    if (rows.length < PAGE) return;
  }
}

const GAP_COLUMNS = [
  'first_link',
  asNumber('last_link'),
  asBytes('hash'),
  asBytes('reason'),
  asNumber('at'),
  asBytes('signature'),
].join(', ');
const CHECKPOINT_COLUMNS = ['link', asBytes('hash'), asNumber('at'), asBytes('signature')].join(', ');

export function gapsIn(
  db: Database,
  first: number,
  last: number,
): readonly (ChainItem & { readonly kind: 'gap' })[] {
  const rows = db
    .prepare(`SELECT ${GAP_COLUMNS} FROM chain_gaps WHERE last_link >= ? AND first_link <= ?`)
    .all(first, last);
  return rows.map((row) => ({
    kind: 'gap',
    first: Number(row.first_link),
    last: Number(row.last_link),
    hash: safeText(row.hash) ?? '',
    reason: safeText(row.reason) ?? '',
    at: Number(row.at),
    signature: safeText(row.signature) ?? '',
  }));
}

export function checkpointsIn(
  db: Database,
  first: number,
  last: number,
): readonly (ChainItem & { readonly kind: 'checkpoint' })[] {
  const rows = db
    .prepare(`SELECT ${CHECKPOINT_COLUMNS} FROM chain_checkpoints WHERE link BETWEEN ? AND ?`)
    .all(first, last);
  return rows.map((row) => ({
    kind: 'checkpoint',
    link: Number(row.link),
    hash: safeText(row.hash) ?? '',
    at: Number(row.at),
    signature: safeText(row.signature) ?? '',
  }));
}
