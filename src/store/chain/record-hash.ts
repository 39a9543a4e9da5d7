import { hash } from 'node:crypto';
import type { SqlValue } from '../database/driver.ts';
import { EVENT_COLUMNS, type EventColumn } from '../read/event-columns.ts';

/*
 * The hash of a record, in two forms. The first, that of 0.1.0, is of all values in a row. The second has the hash of each
 * long part in its place, so that a record that was sent without these parts can still be checked. A hash does not say its
 * form: a checker tries both. Neither is weaker for a complete record, and without a part only the second can be checked, so that
 * nothing is gained by claiming the other one.
 */

/** Columns that a record may be sent without, in the order in which they are left out. */
export const PART_COLUMNS: readonly EventColumn[] = ['native', 'event', 'opinions', 'response', 'answer'];

const PARTS: ReadonlySet<string> = new Set(PART_COLUMNS);
/** Longer parts are in the hash as a hash: shorter ones would not become smaller. */
const LONGEST_INLINE = 64;
/** No value begins like this in the first form, so that no text has two readings. */
const FORM_2 = 'v2';

/** Hashes of parts that a record came without, by column. */
export type PartHashes = Readonly<Record<string, string>>;

/** A part that is in the hash by its own hash. */
export function isLongPart(column: string, value: SqlValue): value is string {
  return typeof value === 'string' && value.length > LONGEST_INLINE && PARTS.has(column);
}

export function partHash(value: string): string {
  return hash('sha256', value, 'hex');
}

/** @param values in the order of `EVENT_COLUMNS` */
export function hashRecord(before: string, values: readonly SqlValue[], parts: PartHashes = {}): string {
  // Joined once: a text for each value would be more garbage than the row itself.
  const pieces = new Array<string>(2 * values.length + 2);
  pieces[0] = before;
  pieces[1] = `\0${FORM_2}`;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? null;
    const part = partOf(EVENT_COLUMNS[at] ?? '', value, parts);
    pieces[2 * at + 2] = part === null ? signOf(value) : '\0h';
    pieces[2 * at + 3] = part ?? (value === null ? '' : String(value));
  }
  return hash('sha256', pieces.join(''), 'hex');
}

/** The hash that stands for a value; null for one that is in the hash as it is. */
function partOf(column: string, value: SqlValue, parts: PartHashes): string | null {
  if (isLongPart(column, value)) return partHash(value);
  return (value === null ? parts[column] : undefined) ?? null;
}

/** The hash that records of 0.1.0 have. */
export function hashWholeRecord(before: string, values: readonly SqlValue[]): string {
  const texts = values.map((value) => signOf(value) + (value === null ? '' : String(value)));
  return hash('sha256', before + texts.join(''), 'hex');
}

/** Whether this is the hash of a complete record, in either form. */
export function isHashOf(before: string, values: readonly SqlValue[], found: string): boolean {
  return hashRecord(before, values) === found || hashWholeRecord(before, values) === found;
}

/** A record as it was sent. */
interface SentRecord {
  readonly hash: string;
  readonly values: readonly SqlValue[];
  /** Columns that it says it came without. */
  readonly leftOut?: readonly string[];
  readonly parts?: PartHashes;
}

/**
 * Whether a record is what was recorded. `unknown`: it came without parts and without their hashes, as older versions send
 * it. Such a record proves nothing, and neither does one that only claims to be one.
 */
export function checkRecord(
  before: string,
  { hash: found, values, leftOut = [], parts = {} }: SentRecord,
): 'right' | 'wrong' | 'unknown' {
  if (isHashOf(before, values, found)) return 'right';
  const missing = PART_COLUMNS.filter((column) => leftOut.includes(column));
  const isEmpty = (column: EventColumn) => values[EVENT_COLUMNS.indexOf(column)] === null;
  if (missing.length === 0 || !missing.every(isEmpty)) return 'wrong';
  const known = Object.fromEntries(missing.flatMap((column) => hashGiven(parts, column)));
  if (Object.keys(known).length === 0) return 'unknown';
  return hashRecord(before, values, known) === found ? 'right' : 'wrong';
}

function hashGiven(parts: PartHashes, column: string): readonly (readonly [string, string])[] {
  const given = Object.hasOwn(parts, column) ? parts[column] : undefined;
  return given === undefined ? [] : [[column, given]];
}

/** What stands before a value: neither it nor the value has another NUL. */
function signOf(value: SqlValue): string {
  return value === null ? '\0n' : typeof value === 'string' ? '\0s' : '\0d';
}
