import { types } from 'node:util';
import type { SqlValue } from './driver.ts';

/*
 * One driver ends the whole process at a text that is not UTF-8, as a damaged one may be. What may be damaged is
 * therefore read as bytes.
 */

/** A text column, to be read by `safeText`. */
export const asBytes = (column: string): string => `CAST(${column} AS BLOB) AS ${column}`;

const MOST = Number.MAX_SAFE_INTEGER;

/** A column that has a number or nothing. One that is too large for us, at which a driver would throw, is nothing. */
export const asNumber = (column: string): string =>
  `CASE WHEN typeof(${column}) IN ('integer', 'real') AND ${column} BETWEEN -${MOST} AND ${MOST} THEN ${column} END AS ${column}`;

/** What is not UTF-8 is replaced. */
export function safeText(value: SqlValue | undefined): string | null {
  const text = safeValue(value);
  return typeof text === 'string' ? text : null;
}

/** A value of either kind of column. */
export function safeValue(value: SqlValue | undefined): SqlValue {
  if (value instanceof Uint8Array) return decoder.decode(value);
  // libsql 0.5.29 gives the same bytes as a buffer where it gives several rows.
  return types.isArrayBuffer(value) ? decoder.decode(value) : (value ?? null);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
