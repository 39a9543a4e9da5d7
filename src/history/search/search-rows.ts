import type { Database } from '../../store/database/driver.ts';
import { findEvent } from '../../store/read/queries.ts';
import type { Item } from '../calls/calls.ts';
import { toBrief } from '../calls/event-brief.ts';
import { type Fate, hasFate, itemWith } from '../calls/list-calls.ts';
import { type Row, rowOf } from '../calls/row.ts';
import type { SearchHit } from './search.ts';

export interface FoundRow {
  readonly hit: SearchHit;
  /** The matching call or event; null if it is gone. */
  readonly row: Row | null;
}

/** Search results, one per call even with several hits, ranked by the best one. */
export function rowsFound(
  db: Database,
  hits: readonly SearchHit[],
  now: number,
  fates: readonly Fate[] = [],
): readonly FoundRow[] {
  const seen = new Set<string>();
  return hits.flatMap((hit): FoundRow[] => {
    const item = itemOf(db, hit, now);
    if (fates.length > 0 && !(item && hasFate(item, fates))) return [];
    const row = item && rowOf(item);
    const key = row?.key ?? `observation ${hit.row}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ hit, row }];
  });
}

function itemOf(db: Database, { eventId }: SearchHit, now: number): Item | null {
  const event = findEvent(db, eventId);
  return event && itemWith(db, toBrief(event), now);
}
