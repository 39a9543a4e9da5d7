import type { Database } from '../database/driver.ts';
import { type Gap, gapText, type Link, lastLink, type Signer } from './chain.ts';

/** Runs of consecutive records: link and row number differ by a constant. The hash is that of the last record. */
const RUNS = `
  SELECT max(link) AS last, count(*) AS links, hash
  FROM (SELECT link, hash, link - row_number() OVER (ORDER BY link) AS run
        FROM events WHERE link IS NOT NULL AND row IN (SELECT row FROM going))
  GROUP BY run ORDER BY last`;

const INSERT =
  'INSERT INTO chain_gaps (first_link, last_link, hash, reason, at, signature) VALUES (?, ?, ?, ?, ?, ?)';

/** Records a signed gap for links lost in a damaged database. */
export function writeLostGap(db: Database, lost: Pick<Gap, 'first' | 'last' | 'hash'>, signer: Signer): void {
  const gap: Gap = { ...lost, reason: 'lost', at: Date.now() };
  db.prepare(INSERT).run(gap.first, gap.last, gap.hash, gap.reason, gap.at, signer.sign(gapText(gap)));
}

/**
 * Counts records that are missing without a deletion: noted as lost, or acknowledged but beyond the end of this
 * database.
 */
export function countLost(db: Database, noted: Link): number {
  const sql = "SELECT sum(last_link - first_link + 1) AS n FROM chain_gaps WHERE reason = 'lost'";
  return Number(db.prepare(sql).get()?.n ?? 0) + Math.max(0, noted.link - lastLink(db).link);
}

/** Records a signed gap for the events in the table `going`, in the transaction that deletes them. */
export function writeGaps(db: Database, reason: 'forgotten' | 'pruned', signer: Signer): void {
  const insert = db.prepare(INSERT);
  const at = Date.now();
  for (const { last, links, hash } of db.prepare(RUNS).all()) {
    if (typeof hash !== 'string') continue;
    const gap: Gap = { first: Number(last) - Number(links) + 1, last: Number(last), hash, reason, at };
    insert.run(gap.first, gap.last, hash, reason, at, signer.sign(gapText(gap)));
  }
}
