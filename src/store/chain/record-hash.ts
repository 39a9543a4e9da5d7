import { hash } from 'node:crypto';
import type { SqlValue } from '../database/driver.ts';
import { EVENT_COLUMNS, type EventColumn } from '../read/event-columns.ts';

/*
 * The hash of a record, in two forms. The first, from 0.1.0, covers all values of a row. The second replaces each
 * long part with its hash, so that a record sent without these parts can still be checked. A hash doesn't carry its
 * form, so a checker tries both. Both are equally strong for a complete record. Without a part, only the second can
 * be checked, so an attacker gains nothing by claiming the other form.
 */

/** Columns that may be left out in transfer, in the order of omission. */
export const PART_COLUMNS: readonly EventColumn[] = ['native', 'event', 'opinions', 'response', 'answer'];

const PARTS: ReadonlySet<string> = new Set(PART_COLUMNS);
/** Longer parts are replaced by their hash; shorter ones wouldn't shrink. */
const LONGEST_INLINE = 64;
/** No value in the first form starts like this, so no text is ambiguous. */
const FORM_2 = 'v2';

/** Hashes of omitted parts, by column. */
export type PartHashes = Readonly<Record<string, string>>;

/** A part that is represented by its own hash. */
export function isLongPart(column: string, value: SqlValue): value is string {
  return typeof value === 'string' && value.length > LONGEST_INLINE && PARTS.has(column);
}

export function partHash(value: string): string {
  return hash('sha256', value, 'hex');
}

/** @param values in the order of `EVENT_COLUMNS` */
export function hashRecord(before: string, values: readonly SqlValue[], parts: PartHashes = {}): string {
  // Joined once: one string per value would create more garbage than the row itself.
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

/** The hash that replaces a value; null for a value that is included directly. */
function partOf(column: string, value: SqlValue, parts: PartHashes): string | null {
  if (isLongPart(column, value)) return partHash(value);
  return (value === null ? parts[column] : undefined) ?? null;
}

/** The hash as 0.1.0 computed it. */
export function hashWholeRecord(before: string, values: readonly SqlValue[]): string {
  const texts = values.map((value) => signOf(value) + (value === null ? '' : String(value)));
  return hash('sha256', before + texts.join(''), 'hex');
}

/** True if this is the hash of a complete record, in either form. */
export function isHashOf(before: string, values: readonly SqlValue[], found: string): boolean {
  return hashRecord(before, values) === found || hashWholeRecord(before, values) === found;
}

/** A record as sent. */
interface SentRecord {
  readonly hash: string;
  readonly values: readonly SqlValue[];
  /** Columns that it claims were left out. */
  readonly leftOut?: readonly string[];
  readonly parts?: PartHashes;
}

/**
 * Checks a record against its hash. `unknown` means that parts and their hashes are missing, as older versions send
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

/** Prefix of a value. Neither the prefix nor the value contains another NUL. */
function signOf(value: SqlValue): string {
  return value === null ? '\0n' : typeof value === 'string' ? '\0s' : '\0d';
}
