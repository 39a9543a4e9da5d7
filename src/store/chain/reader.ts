import type { Database, Row } from '../database/driver.ts';
import { type FoundRecord, foundRecord, SAFE_EVENT_COLUMNS } from '../read/event-columns.ts';

/** A record and its place. */
export interface PlacedRecord extends FoundRecord {
  readonly link: number;
}

interface ChainReader {
  /** The next records after a link, in chain order. Returns fewer than requested only at the end. */
  after(link: number, most: number): readonly PlacedRecord[];
}

const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Reads the chain in steps, from any link. There is no index on links, but rows are in the same order, so it uses
 * binary search.
 */
export function openChainReader(db: Database): ChainReader {
  const page = db.prepare(
    `SELECT ${SAFE_EVENT_COLUMNS} FROM events
     WHERE row > ? AND row <= ${LAST} AND link BETWEEN ? AND ${LAST} ORDER BY row LIMIT ?`,
  );
  const at = db.prepare(
    `SELECT row, link FROM events WHERE row >= ? AND row <= ${LAST} AND typeof(link) = 'integer'
     ORDER BY row LIMIT 1`,
  );
  const newest = db.prepare(`SELECT max(row) AS row FROM events WHERE row <= ${LAST}`);
  let hint = { link: 0, row: 0 };

  /** The last row that isn't after the link; earlier rows can be skipped. */
  function rowBefore(link: number): number {
    if (holds(at.get(hint.row), hint, link)) return hint.row;
    let [low, high] = [0, Number(newest.get()?.row ?? 0)];
    // Invariant: rows up to `low` are not after the link; the row after `high` is.
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const found = at.get(middle);
      if (found !== undefined && Number(found.link) <= link) low = Math.max(middle, Number(found.row));
      else high = middle - 1;
    }
    return low;
  }

  return {
    after(link, most) {
      const rows = page.all(rowBefore(link), link + 1, most);
      const last = rows.at(-1);
      if (last) hint = { link: Number(last.link), row: Number(last.row) };
      return rows.map((row) => ({ ...foundRecord(row), link: Number(row.link) }));
    },
  };
}

/** True if the last row read still exists and isn't after the wanted one. A rebuilt store renumbers its rows. */
function holds(
  found: Row | undefined,
  hint: { readonly link: number; readonly row: number },
  link: number,
): boolean {
  return (
    hint.row > 0 && hint.link <= link && Number(found?.row) === hint.row && Number(found?.link) === hint.link
  );
}
