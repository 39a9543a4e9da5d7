import type { LinkedRow } from './chain.ts';

/** The newest records, in the order of the chain, to be written again should the database be lost. */
export interface RecentRecords {
  add(records: readonly LinkedRow[]): void;
  /** Those that follow each other without a gap, up to the newest. */
  list(): readonly LinkedRow[];
  /** Some of them were deleted on purpose, and must not come back. */
  clear(): void;
}

/** More than a database has in its log before that is moved over: what is older is in two places. */
const MOST_CHARACTERS = 2 << 20;

export function createRecentRecords(most: number = MOST_CHARACTERS): RecentRecords {
  let records: LinkedRow[] = [];
  let characters = 0;
  /** How many at the front are gone: removing each by itself would move all the others. */
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

/** The last one that is not followed by its successor; -1 where all are. */
const lastBreak = (records: readonly LinkedRow[]): number =>
  records.findLastIndex(
    ({ link }, at) => records[at + 1] !== undefined && records[at + 1]?.link !== link + 1,
  );

/** In characters. */
export const lengthOf = ({ row }: LinkedRow): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
