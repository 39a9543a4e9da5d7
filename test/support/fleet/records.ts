import { teamNames } from '../../../src/fleet/subjects.ts';
import { START } from '../../../src/store/chain/chain.ts';
import { hashRecord } from '../../../src/store/chain/record-hash.ts';
import type { SqlValue } from '../../../src/store/database/driver.ts';
import { EVENT_COLUMNS } from '../../../src/store/read/event-columns.ts';
import { eventRow } from '../../../src/store/record/event-row.ts';
import { beforeTool, call } from '../store/store.ts';

interface CraftedRecord {
  readonly machine: string;
  readonly command?: string;
  /** In the place of what a machine would have written. */
  readonly columns?: Readonly<Record<string, SqlValue>>;
  /** In the place of what stands around the record. */
  readonly around?: object;
}

/** A record of an attacker with write access to the stream: its hash is right for any content. */
export function craftedRecord({ machine, command = 'ls', columns = {}, around = {} }: CraftedRecord): {
  readonly subject: string;
  readonly body: string;
} {
  const record = call(beforeTool(command));
  const written = eventRow(record, record.event, (text) => text);
  const values = EVENT_COLUMNS.map((column, at) => columns[column] ?? written[at] ?? null);
  const columnsOf = Object.fromEntries(EVENT_COLUMNS.map((column, at) => [column, values[at] ?? null]));
  const hash = hashRecord(START.hash, values);
  const message = { kind: 'record', link: 1, hash, before: START.hash, record: columnsOf, leftOut: [] };
  const { source, type } = columnsOf;
  return {
    subject: teamNames('test').event(machine, String(source), String(type)),
    body: JSON.stringify({ ...message, ...around }),
  };
}
