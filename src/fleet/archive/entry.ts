import { textsInJson } from '../../model/json.ts';
import { PART_COLUMNS } from '../../store/chain/record-hash.ts';
import type { SqlValue } from '../../store/database/driver.ts';
import { EVENT_COLUMNS, type EventColumn, plain } from '../../store/read/event-columns.ts';
import { isOptional } from '../../store/read/stored-event.ts';
import { isMachineId, keyOfMachine } from '../machine.ts';
import { type AuditItem, readMessage, type StreamMessage, safeId } from '../record/message.ts';
import { isIntact, isSignedNote, type RecordItem } from '../record/verify.ts';
import { machineInSubject } from '../subjects.ts';
import { searchable } from './search-words.ts';

type GapItem = AuditItem & { readonly kind: 'gap' };
type CheckpointItem = AuditItem & { readonly kind: 'checkpoint' };

/** The message as received. */
interface Origin {
  readonly sequence: number;
  readonly subject: string;
  readonly body: Uint8Array;
}

/** How a message is stored in the tables. */
export type ArchiveEntry = { readonly origin: Origin } & (
  | {
      readonly kind: 'record';
      readonly machine: string;
      readonly messageId: string;
      readonly item: RecordItem;
      /** The item's values, in the form for PostgreSQL. */
      readonly values: readonly SqlValue[];
      readonly words: string;
    }
  | { readonly kind: 'gap'; readonly machine: string; readonly item: GapItem }
  | { readonly kind: 'checkpoint'; readonly machine: string; readonly item: CheckpointItem }
  | { readonly kind: 'refused'; readonly reason: string }
);

/** Never throws: sets aside what isn't a record or contradicts itself. */
export function archiveEntryOf({ seq, subject, data, headers }: StreamMessage): ArchiveEntry {
  const origin: Origin = { sequence: seq, subject, body: data };
  const machine = machineInSubject(subject);
  const refused = (reason: string): ArchiveEntry => ({ kind: 'refused', reason, origin });
  if (!isMachineId(machine)) return refused('Its subject names no machine.');
  const item = readMessage({ data, headers });
  if (item === null) return refused('It is not a history message.');
  if (item.kind === 'record') {
    const problem = recordProblem(item);
    return problem === null ? { ...recordEntry(machine, item), origin } : refused(problem);
  }
  if (!isSignedNote(item, keyOfMachine(machine, item.publicKey ?? '')))
    return refused('It is not signed with the key of its machine.');
  return item.kind === 'gap'
    ? { kind: 'gap', machine, item, origin }
    : { kind: 'checkpoint', machine, item, origin };
}

const INTEGERS: readonly string[] = ['sequence', 'prompt_number', 'tool_number', 'timestamp'];

/** Why it isn't a machine's record. */
function recordProblem(item: RecordItem): string | null {
  const { values, leftOut } = item;
  const wrong = EVENT_COLUMNS.find((column, at) => !fits(column, values[at] ?? null, leftOut));
  if (wrong !== undefined) return `Its ${wrong} is missing or invalid.`;
  return isIntact(item) ? null : 'It was changed: its hash does not match.';
}

function fits(column: EventColumn, value: SqlValue, leftOut: readonly string[]): boolean {
  if (value === null)
    return isOptional(column) || (leftOut.includes(column) && PART_COLUMNS.includes(column));
  if (INTEGERS.includes(column)) return Number.isSafeInteger(value);
  return column === 'latency_ms' ? Number.isFinite(value) : typeof value === 'string';
}

function recordEntry(machine: string, item: RecordItem) {
  // Machines store no NUL, and PostgreSQL accepts none: a record with one was forged.
  const values = item.values.map((value) => (typeof value === 'string' ? plain(value) : value));
  const text = (column: EventColumn) => {
    const value = values[EVENT_COLUMNS.indexOf(column)];
    return typeof value === 'string' ? value : '';
  };
  return {
    kind: 'record',
    machine,
    messageId: safeId(text('id')),
    item,
    values,
    words: searchable(textsOf(text)),
  } as const;
}

/** Texts to search, the most relevant first, because PostgreSQL limits what it indexes. */
function* textsOf(text: (column: EventColumn) => string): Generator<string> {
  for (const column of ['tool_name', 'cwd', 'project_id', 'user_id', 'session_id', 'id'] as const)
    yield text(column);
  for (const column of ['rules', 'response', 'event'] as const) yield* textsInJson(text(column));
}
