import { isLoopbackUrl } from '../platform/loopback.ts';
import type { Notice } from './notice.ts';

/** What waits for an answer, as a channel shows it, with what its buttons send back. */
export interface AnswerCard {
  /** Of the approval. */
  readonly id: string;
  /** `agent · repository · branch` */
  readonly title: string;
  readonly text: string;
  /** Null where it may not be allowed from there. */
  readonly allow: string | null;
  readonly deny: string;
  /** Where all of it can be seen. */
  readonly open: string;
}

/** What came back. Nothing about it is believed until its signature was checked. */
export interface GivenAnswer {
  readonly text: string;
  /** Who the channel says it was; null where it does not know. */
  readonly from: string | null;
  /** Why whoever that was may not answer; null where anybody with the right text may. */
  readonly stranger: string | null;
  /** Who answers, where that is somebody else than whose machine this is. */
  readonly person?: string;
  /** A word to the model. */
  readonly message?: string;
}

/** What came of an answer. */
export interface Taken {
  readonly counts: boolean;
  /** For whoever gave it. */
  readonly words: string;
}

/** A way to reach somebody who is not here, and to hear what they say. Each is one file. */
export interface AnswerChannel {
  /** For the record: `dora (ntfy)`. */
  readonly name: string;
  send(card: AnswerCard, signal: AbortSignal): Promise<void>;
  /** Says so where the card was, if what was sent can be changed there. */
  settled?(id: string, words: string, signal: AbortSignal): Promise<void>;
  /** Something that nobody has to answer. */
  tell(notice: Notice, signal: AbortSignal): Promise<void>;
  /**
   * Listens until the connection or the signal ends it, and calls `connected` when it does listen. What `take` returns
   * is for whoever answered, if the channel can tell them.
   */
  answers(take: (answer: GivenAnswer) => Taken, connected: () => void, signal: AbortSignal): Promise<void>;
}

/** Whether an address can be opened from another machine; some servers refuse buttons with one that cannot. */
export function isElsewhere(address: string): boolean {
  return !isLoopbackUrl(address);
}
