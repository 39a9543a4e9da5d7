import type { FoundRecord } from '../read/event-columns.ts';
import { type LinkedRow, START } from './chain.ts';
import { hashRecord, hashWholeRecord, isHashOf } from './record-hash.ts';

/** Result for the records found: which are intact, and how many aren't. */
interface CheckedRecords {
  readonly proven: readonly LinkedRow[];
  /** Readable, but the previous record isn't. */
  readonly unproven: readonly FoundRecord[];
  /** Differ from what was recorded. */
  readonly damaged: number;
}

interface Doubtful {
  readonly record: LinkedRow;
  /** Compares the computed hash in both forms, because the stored hash itself may be damaged. */
  readonly computed: readonly string[];
}

/** Checks each record against the previous one. `hashAt` supplies hashes of links known from elsewhere. */
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
