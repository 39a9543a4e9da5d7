import * as v from 'valibot';
import { parseJson } from '../../model/json.ts';
import type { Row } from '../../store/database/driver.ts';
import { EVENT_COLUMNS } from '../../store/read/event-columns.ts';
import type { AuditItem } from '../record/message.ts';
import type { Postgres } from './postgres.ts';

/** IDs of the machines with records in the database. */
export async function machinesInArchive(db: Postgres): Promise<readonly string[]> {
  const rows = await db.query(
    `SELECT machine FROM hookline.machines m
     WHERE EXISTS (SELECT 1 FROM hookline.events e WHERE e.machine = m.machine)
        OR EXISTS (SELECT 1 FROM hookline.chain_gaps g WHERE g.machine = m.machine) ORDER BY machine`,
  );
  return rows.map(({ machine }) => String(machine));
}

/** All stored items of a machine, in the form of the stream, for `verifyMachine`. */
export async function archivedItems(db: Postgres, machine: string): Promise<readonly AuditItem[]> {
  const records = await db.query(
    `SELECT ${EVENT_COLUMNS.join(', ')}, link, hash, before, left_out, parts FROM hookline.events WHERE machine = $1`,
    [machine],
  );
  const gaps = await db.query('SELECT * FROM hookline.chain_gaps WHERE machine = $1', [machine]);
  const checkpoints = await db.query('SELECT * FROM hookline.chain_checkpoints WHERE machine = $1', [
    machine,
  ]);
  return [
    ...records.map(recordItem),
    ...gaps.map((row) => ({
      ...noteOf(row),
      kind: 'gap' as const,
      first: Number(row.first_link),
      last: Number(row.last_link),
      reason: String(row.reason),
    })),
    ...checkpoints.map((row) => ({ ...noteOf(row), kind: 'checkpoint' as const, link: Number(row.link) })),
  ];
}

const parts = v.record(v.string(), v.string());

function recordItem(row: Row): AuditItem {
  const named = parseJson(String(row.left_out));
  const leftOut = Array.isArray(named) ? named.map(String) : [];
  const known = parseJson(String(row.parts));
  return {
    kind: 'record',
    link: Number(row.link),
    hash: String(row.hash),
    before: typeof row.before === 'string' ? row.before : null,
    values: EVENT_COLUMNS.map((column) => row[column] ?? null),
    leftOut,
    parts: v.is(parts, known) ? known : {},
    publicKey: null,
  };
}

function noteOf(row: Row) {
  return {
    hash: String(row.hash),
    at: Number(row.at),
    signature: String(row.signature),
    publicKey: String(row.public_key),
    leftOut: [],
    parts: {},
    before: null,
  };
}
