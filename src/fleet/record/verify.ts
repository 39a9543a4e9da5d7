import type { KeyObject } from 'node:crypto';
import { checkpointText, gapText, isSignedBy, type Link, START } from '../../store/chain/chain.ts';
import { checkRecord } from '../../store/chain/record-hash.ts';
import { type ChainReport, verifyChain } from '../../store/chain/verify-chain.ts';
import { keyOfMachine } from '../machine.ts';
import type { AuditItem } from './message.ts';
import { NOT_IN_FLEET } from './unsent-gap.ts';

/** The result of verifying one machine's history in a stream. */
export interface StreamReport extends Omit<ChainReport, 'problems'> {
  readonly machine: string;
  /** Records that the machine deleted later; the stream still has them. */
  readonly deletedThere: number;
  /** Links recorded while the machine wasn't in the fleet, and not sent. */
  readonly kept: number;
  /** Records that came without their largest columns, verified by the hashes of these. */
  readonly abridged: number;
  readonly problems: readonly { readonly link: number; readonly message: string }[];
}

export type RecordItem = AuditItem & { readonly kind: 'record' };
type GapItem = AuditItem & { readonly kind: 'gap' };

/** Checks everything that a machine has sent, in any order: hashes, signatures, and what is missing. */
export function verifyMachine(machine: string, items: readonly AuditItem[]): StreamReport {
  const key = keyOf(machine, items);
  const forged = new Set(items.filter((item) => item.kind !== 'record' && !isSignedNote(item, key)));
  const sound = items.filter((item) => !forged.has(item));
  const [kept, deleted] = divide(
    sound.filter((item) => item.kind === 'record'),
    sound.filter((item) => item.kind === 'gap'),
  );
  const notes = sound.filter((item) => item.kind !== 'record');
  const chain = [...kept, ...notes].sort((a, b) => linkOf(a) - linkOf(b));
  const changed = deleted.filter((record) => alone(record) === 'wrong');
  const unknown = deleted.filter((record) => alone(record) === 'unknown').map(({ link }) => link);
  const report = verifyChain(chain, beforeFirst(chain), key);
  const unproven = new Set(report.unverifiable);
  const keptCount = notes.filter(isKept).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return {
    ...report,
    deleted: report.deleted - keptCount,
    kept: keptCount,
    machine,
    deletedThere: deleted.length,
    abridged: kept.filter(({ leftOut, link }) => leftOut.length > 0 && !unproven.has(link)).length,
    unverifiable: [...report.unverifiable, ...unknown].sort((a, b) => a - b),
    problems: [
      ...report.problems.map(({ link, message }) => ({ link, message })),
      ...changed.map(({ link }) => ({ link, message: `Link ${link} was changed.` })),
      ...[...forged].map(forgedProblem),
      ...twoHomes(kept),
    ].sort((a, b) => a.link - b.link),
  };
}

type Note = Exclude<AuditItem, { kind: 'record' }>;

const isKept = (note: Note): note is Note & { kind: 'gap' } =>
  note.kind === 'gap' && note.reason === NOT_IN_FLEET;

/** False for a note by another writer of the stream, which proves nothing. */
export function isSignedNote(note: Note, key: KeyObject | null): boolean {
  const text = note.kind === 'gap' ? gapText(note) : checkpointText(note);
  return key !== null && isSignedBy(key, text, note.signature);
}

function forgedProblem(item: AuditItem): { readonly link: number; readonly message: string } {
  return item.kind === 'gap'
    ? {
        link: item.first,
        message: `Links ${item.first} to ${item.last} are marked as deleted, but not by this machine.`,
      }
    : { link: item.link, message: `A signature of link ${item.link} was not made with this key.` };
}

/** A copied home has the same key, and continues from the same link with other records. */
function twoHomes(records: readonly RecordItem[]): readonly { link: number; message: string }[] {
  const first = new Map<number, string>();
  const twice = new Set<number>();
  for (const { link, hash } of records)
    if ((first.get(link) ?? hash) !== hash) twice.add(link);
    else first.set(link, hash);
  if (twice.size === 0) return [];
  const link = Math.min(...twice);
  return [
    {
      link,
      message: `Two homes send as this machine: from link ${link} on, their histories differ.`,
    },
  ];
}

/** The key from which the machine's ID is derived; null if no item has it. */
function keyOf(machine: string, items: readonly AuditItem[]): KeyObject | null {
  for (const { publicKey } of items) {
    const key = publicKey === null ? null : keyOfMachine(machine, publicKey);
    if (key !== null) return key;
  }
  return null;
}

/** Separates items inside gaps from the others. */
function divide(
  records: readonly RecordItem[],
  gaps: readonly GapItem[],
): readonly [readonly RecordItem[], readonly RecordItem[]] {
  const isDeleted = ({ link }: RecordItem) => gaps.some(({ first, last }) => link >= first && link <= last);
  return [records.filter((one) => !isDeleted(one)), records.filter(isDeleted)];
}

/** Checks a record without its neighbors. */
function alone(record: RecordItem): ReturnType<typeof checkRecord> {
  return record.before === null ? 'unknown' : checkRecord(record.before, record);
}

/** False if it was certainly altered. What can't be checked alone is left to `verifyMachine`. */
export function isIntact(record: RecordItem): boolean {
  return alone(record) !== 'wrong';
}

/** A machine sends records from when it joined, so its chain begins there. */
function beforeFirst(chain: readonly AuditItem[]): Link {
  const first = chain.find((item) => item.kind !== 'checkpoint');
  if (first === undefined) return START;
  return first.kind === 'record'
    ? { link: first.link - 1, hash: first.before ?? '' }
    : { link: first.first - 1, hash: '' };
}

/** As in the chain itself: a gap is placed at its first link, a checkpoint after the link that it signs. */
function linkOf(item: AuditItem): number {
  if (item.kind === 'gap') return item.first - 0.5;
  return item.kind === 'record' ? item.link : item.link + 0.25;
}
