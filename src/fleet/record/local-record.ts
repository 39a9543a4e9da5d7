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
  /** Empty where it is not known. */
  readonly hash: string;
}

/** What this machine has to send. What was forgotten or pruned before that is not there any more, and is not sent. */
export interface LocalRecord {
  /** The newest link there is. */
  last(): number;
  /** Is this what the chain has there, or had before it was deleted? */
  has(place: Place): boolean;
  after(place: Place, most: number): readonly LinkedRecord[];
  /** Null where the link was deleted, and nothing says what it had. */
  hashAt(link: number): string | null;
  /** Signatures of links after one and up to another. */
  checkpoints(
    after: number,
    upTo: number,
  ): readonly { readonly link: number; readonly message: AuditMessage }[];
  /** Signed statements that links after one were deleted, but for those that are known. */
  gaps(after: number, known: ReadonlySet<string>): readonly AuditMessage[];
}

export function openLocalRecord(db: Database, machine: Machine, names: TeamNames): LocalRecord {
  const reading = openChainReader(db);

  /** The hash of a link that is gone: the gap that ends with it has it. */
  const hashInGap = (link: number): string | null =>
    link === START.link
      ? START.hash
      : (gapsIn(db, link, link).find((gap) => gap.last === link)?.hash ?? null);

  /** With the hash of its record, where that is still there. */
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
