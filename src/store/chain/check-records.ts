import type { FoundRecord } from '../read/event-columns.ts';
import { type LinkedRow, START } from './chain.ts';
import { hashRecord, hashWholeRecord, isHashOf } from './record-hash.ts';

/** What can be said of records that were found: those that are as they were recorded, and how many are not. */
interface CheckedRecords {
  readonly proven: readonly LinkedRow[];
  /** They can be read, but what they build on cannot. */
  readonly unproven: readonly FoundRecord[];
  /** They are not what was recorded. */
  readonly damaged: number;
}

interface Doubtful {
  readonly record: LinkedRow;
  /** The hash by its values, in either form; the noted one may be what is damaged. */
  readonly computed: readonly string[];
}

/** Checks each record by the one before it. `hashAt` is what else is known of a link. */
export function checkRecords(
  found: Iterable<FoundRecord>,
  hashAt: (link: number) => string | null,
): CheckedRecords {
  const proven: LinkedRow[] = [];
  const unproven: FoundRecord[] = [];
  let damaged = 0;
  let last: { readonly link: number; readonly hash: string } = START;
  let doubtful: Doubtful | null = null;
  for (const record of found) {
    const { link, hash, values: row } = record;
    if (link === null) continue;
    const follows = last.link === link - 1;
    const befores: string[] = [follows ? last.hash : null, hashAt(link - 1)].flatMap((one) => one ?? []);
    if (follows && doubtful !== null) befores.push(...doubtful.computed);
    const before = befores.find((one) => isHashOf(one, row, hash));
    if (doubtful !== null && before !== undefined && doubtful.computed.includes(before))
      proven.push({ ...doubtful.record, hash: before });
    else if (doubtful !== null) damaged += 1;
    doubtful = null;
    if (before !== undefined) proven.push({ link, hash, before, row });
    else if (befores[0] === undefined) unproven.push(record);
    else
      doubtful = {
        record: { link, hash, before: befores[0], row },
        computed: [hashRecord(befores[0], row), hashWholeRecord(befores[0], row)],
      };
    last = { link, hash };
  }
  return { proven, unproven, damaged: damaged + (doubtful === null ? 0 : 1) };
}
