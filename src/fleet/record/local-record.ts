import { lastLink, START } from '../../store/chain/chain.ts';
import { checkpointsIn, gapsIn, WHOLE_CHAIN } from '../../store/chain/read-chain.ts';
import { openChainReader } from '../../store/chain/reader.ts';
import type { Database } from '../../store/database/driver.ts';
import type { Machine } from '../machine.ts';
import type { TeamNames } from '../subjects.ts';
import { type AuditMessage, type LinkedRecord, noteId, noteMessage } from './message.ts';

/** A place in the chain of this machine. */
interface Place {
  readonly link: number;
  /** Empty if unknown. */
  readonly hash: string;
}

/** What this machine has to send. Records forgotten or pruned before that are gone, and aren't sent. */
export interface LocalRecord {
  /** The newest link. */
  last(): number;
  /** True if the chain has this at that place, or had it before it was deleted. */
  has(place: Place): boolean;
  after(place: Place, most: number): readonly LinkedRecord[];
  /** Null if the link was deleted and nothing recorded its hash. */
  hashAt(link: number): string | null;
  /** Signatures of links in a range. */
  checkpoints(
    after: number,
    upTo: number,
  ): readonly { readonly link: number; readonly message: AuditMessage }[];
  /** Signed gaps after a link, except known ones. */
  gaps(after: number, known: ReadonlySet<string>): readonly AuditMessage[];
}

export function openLocalRecord(db: Database, machine: Machine, names: TeamNames): LocalRecord {
  const reading = openChainReader(db);

  /** The hash of a deleted link, from the gap that ends with it. */
  const hashInGap = (link: number): string | null =>
    link === START.link
      ? START.hash
      : (gapsIn(db, link, link).find((gap) => gap.last === link)?.hash ?? null);

  /** With the hash of its record, if it still exists. */
  function known(place: Place): Place {
    const [found] = place.hash === '' && place.link > 0 ? reading.after(place.link - 1, 1) : [];
    return found?.link === place.link ? found : place;
  }

  return {
    last: () => lastLink(db).link,
    has({ link, hash }) {
      if (link === 0) return true;
      const [found] = reading.after(link - 1, 1);
      return found?.link === link ? found.hash === hash : lastLink(db).link >= link;
    },
    after(place, most) {
      let before = known(place);
      return reading.after(place.link, most).map((record) => {
        const hash = before.link === record.link - 1 && before.hash !== '' ? before.hash : null;
        before = record;
        return { ...record, before: hash ?? hashInGap(record.link - 1) };
      });
    },
    hashAt: (link) => known({ link, hash: '' }).hash || hashInGap(link),
    checkpoints: (after, upTo) =>
      checkpointsIn(db, after + 1, upTo).map((one) => ({
        link: one.link,
        message: noteMessage(one, machine, names),
      })),
    gaps: (after, known) =>
      gapsIn(db, after + 1, WHOLE_CHAIN.last)
        .filter((gap) => !known.has(noteId(gap, machine.id)))
        .map((gap) => noteMessage(gap, machine, names)),
  };
}
