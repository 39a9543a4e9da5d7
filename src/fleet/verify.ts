import type { KeyObject } from 'node:crypto';
import { checkpointText, gapText, hashOf, isSignedBy, type Link, recordText, START } from '../store/chain.ts';
import { type ChainReport, verifyChain } from '../store/verify-chain.ts';
import { keyOfMachine } from './machine.ts';
import type { AuditItem } from './message.ts';
import { NOT_IN_FLEET } from './unsent-gap.ts';

/** What a stream proves of one machine's record. */
export interface StreamReport extends Omit<ChainReport, 'problems'> {
  readonly machine: string;
  /** Records that the machine has deleted since: the stream still has them. */
  readonly deletedThere: number;
  /** Links that it recorded while it was not in the fleet, and did not send. */
  readonly kept: number;
  /** Records that came without their largest columns: their hashes cannot be computed again. */
  readonly abridged: number;
  readonly problems: readonly { readonly link: number; readonly message: string }[];
}

export type RecordItem = AuditItem & { readonly kind: 'record' };
type GapItem = AuditItem & { readonly kind: 'gap' };

/** Checks all that a machine has sent, in whatever order it stands in the stream: hashes, signatures, and what is missing. */
export function verifyMachine(machine: string, items: readonly AuditItem[]): StreamReport {
  const key = keyOf(machine, items);
  const forged = new Set(items.filter((item) => item.kind !== 'record' && !isSignedNote(item, key)));
  const sound = items.filter((item) => !forged.has(item));
  const [kept, deleted] = divide(
    sound.filter((item) => item.kind === 'record'),
    sound.filter((item) => item.kind === 'gap'),
  );
  const notes = sound.filter((item) => item.kind !== 'record');
  const chain = [...kept, ...notes].sort((a, b) => placeOf(a) - placeOf(b));
  const changed = deleted.filter((record) => !isIntact(record));
  const report = verifyChain(chain, beforeFirst(chain), key);
  const keptCount = notes.filter(isKept).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return {
    ...report,
    deleted: report.deleted - keptCount,
    kept: keptCount,
    machine,
    deletedThere: deleted.length,
    abridged: kept.filter(({ isAbridged }) => isAbridged).length,
    problems: [
      ...report.problems.map(({ link, message }) => ({ link, message })),
      ...changed.map(({ link }) => ({ link, message: `Link ${link} is not what was recorded.` })),
      ...[...forged].map(forgedProblem),
    ].sort((a, b) => a.link - b.link),
  };
}

type Note = Exclude<AuditItem, { kind: 'record' }>;

const isKept = (note: Note): note is Note & { kind: 'gap' } =>
  note.kind === 'gap' && note.reason === NOT_IN_FLEET;

/** Whoever may write there can add what looks like one: it says nothing of the record. */
export function isSignedNote(note: Note, key: KeyObject | null): boolean {
  const text = note.kind === 'gap' ? gapText(note) : checkpointText(note);
  return key !== null && isSignedBy(key, text, note.signature);
}

function forgedProblem(item: AuditItem): { readonly link: number; readonly message: string } {
  return item.kind === 'gap'
    ? {
        link: item.first,
        message: `Links ${item.first} to ${item.last} are said to be deleted, and not by this machine.`,
      }
    : { link: item.link, message: `A signature of link ${item.link} is not one of this key.` };
}

/** The key that the machine's id is made of; null where nothing has it. */
function keyOf(machine: string, items: readonly AuditItem[]): KeyObject | null {
  for (const { publicKey } of items) {
    const key = publicKey === null ? null : keyOfMachine(machine, publicKey);
    if (key !== null) return key;
  }
  return null;
}

/** Those that are in no gap, and the others. */
function divide(
  records: readonly RecordItem[],
  gaps: readonly GapItem[],
): readonly [readonly RecordItem[], readonly RecordItem[]] {
  const isDeleted = ({ link }: RecordItem) => gaps.some(({ first, last }) => link >= first && link <= last);
  return [records.filter((one) => !isDeleted(one)), records.filter(isDeleted)];
}

/** By itself, without its neighbours. */
export function isIntact({ before, values, hash, isAbridged }: RecordItem): boolean {
  return isAbridged === true || before === null || hashOf(before, recordText(values)) === hash;
}

/** A machine sends from when it has joined: its chain begins there. */
function beforeFirst(chain: readonly AuditItem[]): Link {
  const first = chain.find((item) => item.kind !== 'checkpoint');
  if (first === undefined) return START;
  return first.kind === 'record'
    ? { link: first.link - 1, hash: first.before ?? '' }
    : { link: first.first - 1, hash: '' };
}

/** As in the chain itself: a gap where its first link would be, a checkpoint after the link that it signs. */
function placeOf(item: AuditItem): number {
  if (item.kind === 'gap') return item.first - 0.5;
  return item.kind === 'record' ? item.link : item.link + 0.25;
}
