import { isLoopbackUrl } from '../platform/loopback.ts';
import type { Notice } from './notice.ts';

/** A pending approval as a channel shows it, with the data that its buttons send back. */
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
  /** Why the sender may not answer; null if the right text is enough. */
  readonly stranger: string | null;
  /** The person who answers, if not the user of this machine. */
  readonly person?: string;
  /** A word to the model. */
  readonly message?: string;
}

/** What came of an answer. */
export interface Taken {
  readonly counts: boolean;
  /** Shown to the person who answered. */
  readonly words: string;
}

/** Sends approvals to a user who is away and receives the answers. Each channel is one file. */
export interface AnswerChannel {
  /** For the record: `dora (ntfy)`. */
  readonly name: string;
  send(card: AnswerCard, signal: AbortSignal): Promise<void>;
  /** Says so where the card was, if what was sent can be changed there. */
  settled?(id: string, words: string, signal: AbortSignal): Promise<void>;
  /** Sends a notification that needs no answer. */
  tell(notice: Notice, signal: AbortSignal): Promise<void>;
  /**
   * Listens until the connection or the signal ends it, and calls `connected` when it does listen. What `take` returns
   * is sent back to the person who answered, if the channel can do that.
   */
  answers(take: (answer: GivenAnswer) => Taken, connected: () => void, signal: AbortSignal): Promise<void>;
}

/** Whether an address can be opened from another machine; some servers refuse buttons with one that cannot. */
export function isElsewhere(address: string): boolean {
  return !isLoopbackUrl(address);
}
