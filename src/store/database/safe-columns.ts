import { types } from 'node:util';
import type { SqlValue } from './driver.ts';

/*
 * One driver ends the whole process on text that isn't UTF-8, as damage may leave it. So columns that may be damaged
 * are read as bytes.
 */

/** A text column, to be read by `safeText`. */
export const asBytes = (column: string): string => `CAST(${column} AS BLOB) AS ${column}`;

const MOST = Number.MAX_SAFE_INTEGER;

/**
 * A column with a number or null. A number too large for JavaScript, on which a driver would throw, is read as null.
 */
export const asNumber = (column: string): string =>
  `CASE WHEN typeof(${column}) IN ('integer', 'real') AND ${column} BETWEEN -${MOST} AND ${MOST} THEN ${column} END AS ${column}`;

/** Replaces invalid UTF-8. */
export function safeText(value: SqlValue | undefined): string | null {
  const text = safeValue(value);
  return typeof text === 'string' ? text : null;
}

/** A value of either kind of column. */
export function safeValue(value: SqlValue | undefined): SqlValue {
  if (value instanceof Uint8Array) return decoder.decode(value);
  // libsql 0.5.29 returns the same bytes as a buffer when it returns several rows.
  return types.isArrayBuffer(value) ? decoder.decode(value) : (value ?? null);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
