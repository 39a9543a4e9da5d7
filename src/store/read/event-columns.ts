import type { Row, SqlValue } from '../database/driver.ts';
import { asBytes, asNumber, safeText, safeValue } from '../database/safe-columns.ts';

/** In the order of `eventRow`. */
export const EVENT_COLUMNS = [
  'id',
  'source',
  'session_id',
  'type',
  'native_event',
  'sequence',
  'prompt_number',
  'tool_number',
  'timestamp',
  'cwd',
  'project_id',
  'machine_id',
  'user_id',
  'agent_id',
  'tool_name',
  'tool_kind',
  'tool_use_id',
  'outcome',
  'decision',
  'latency_ms',
  'rules',
  'degraded',
  'response',
  'answer',
  'opinions',
  'event',
  'native',
] as const;

export type EventColumn = (typeof EVENT_COLUMNS)[number];

const NUMBERS: readonly string[] = ['sequence', 'prompt_number', 'tool_number', 'timestamp', 'latency_ms'];

/** All columns and the place, to be read with `foundRecord`, because stored data may be damaged. */
export const SAFE_EVENT_COLUMNS: string = [
  'row',
  asNumber('link'),
  asBytes('hash'),
  ...EVENT_COLUMNS.map((column) => (NUMBERS.includes(column) ? asNumber(column) : asBytes(column))),
].join(', ');

/** A record as the database returns it. A damaged one may have any content. */
export interface FoundRecord {
  /** Null for a record older than the chain. */
  readonly link: number | null;
  /** In hex; empty if there is none. */
  readonly hash: string;
  /** In the order of `EVENT_COLUMNS`. */
  readonly values: readonly SqlValue[];
}

export function foundRecord(row: Row): FoundRecord {
  const values = EVENT_COLUMNS.map((column) => safeValue(row[column]));
  return { link: row.link === null ? null : Number(row.link), hash: safeText(row.hash) ?? '', values };
}

/**
 * Includes the place in the chain. Changes nothing if the ID is stored; fails if the session already has an event
 * with this sequence.
 */
export const INSERT_EVENT: string = `INSERT INTO events (${EVENT_COLUMNS.join(', ')}, link, hash)
  VALUES (${EVENT_COLUMNS.map(() => '?').join(', ')}, ?, ?) ON CONFLICT (id) DO NOTHING`;

/** Text for a column. When read, both drivers cut a text at NUL and replace half a surrogate pair. */
export function plain(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  return text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
}

const LAST_DATE_MS = 8.64e15;

/** A time that is a valid date. One wrong clock must neither fail a commit nor hide other events. */
export function validTime(ms: number): number {
  return Math.trunc(Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, -LAST_DATE_MS), LAST_DATE_MS));
}
