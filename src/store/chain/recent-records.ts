import type { LinkedRow } from './chain.ts';

/** The newest records in chain order, kept to write them again if the database is lost. */
export interface RecentRecords {
  add(records: readonly LinkedRow[]): void;
  /** The newest records without a gap. */
  list(): readonly LinkedRow[];
  /** Some were deleted on purpose and must not come back. */
  clear(): void;
}

/** More than a database keeps in its log before a checkpoint: older records are in the database file too. */
const MOST_CHARACTERS = 2 << 20;

export function createRecentRecords(most: number = MOST_CHARACTERS): RecentRecords {
  let records: LinkedRow[] = [];
  let characters = 0;
  /** Number of removed records at the front: shifting the array for each one would be slow. */
  let first = 0;
  return {
    add(added) {
      for (const one of added) {
        records.push(one);
        characters += lengthOf(one);
      }
      for (let oldest = records[first]; characters > most && oldest; oldest = records[first]) {
        characters -= lengthOf(oldest);
        first += 1;
      }
      if (first > records.length / 2) {
        records = records.slice(first);
        first = 0;
      }
    },
    list: () => records.slice(Math.max(first, lastBreak(records) + 1)),
    clear() {
      records = [];
      characters = 0;
      first = 0;
    },
  };
}

/** The last record not followed by its successor; -1 if there is none. */
const lastBreak = (records: readonly LinkedRow[]): number =>
  records.findLastIndex(
    ({ link }, at) => records[at + 1] !== undefined && records[at + 1]?.link !== link + 1,
  );

/** In characters. */
export const lengthOf = ({ row }: LinkedRow): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
