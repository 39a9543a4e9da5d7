import { isLoopbackUrl } from '../platform/loopback.ts';
import type { Notice } from './notice.ts';

/** A pending approval as a channel shows it, with the data that its buttons send back. */
export interface AnswerCard {
  /** ID of the approval. */
  readonly id: string;
  /** `agent · repository · branch` */
  readonly title: string;
  readonly text: string;
  /** Null if it can't be allowed from there. */
  readonly allow: string | null;
  readonly deny: string;
  /** Link to the full approval. */
  readonly open: string;
}

/** A received answer. Untrusted until its signature is verified. */
export interface GivenAnswer {
  readonly text: string;
  /** The sender according to the channel; null if unknown. */
  readonly from: string | null;
  /** Why the sender may not answer; null if a valid signature is enough. */
  readonly stranger: string | null;
  /** The person who answers, if not the user of this machine. */
  readonly person?: string;
  /** A message for the model. */
  readonly message?: string;
}

/** The result of an answer. */
export interface Taken {
  readonly counts: boolean;
  /** Shown to the person who answered. */
  readonly words: string;
}

/** Sends approvals to a user who is away and receives the answers. Each channel is one file. */
export interface AnswerChannel {
  /** For the history: `dora (ntfy)`. */
  readonly name: string;
  send(card: AnswerCard, signal: AbortSignal): Promise<void>;
  /** Updates the card with the end, if the channel can change sent messages. */
  settled?(id: string, words: string, signal: AbortSignal): Promise<void>;
  /** Sends a notification that needs no answer. */
  tell(notice: Notice, signal: AbortSignal): Promise<void>;
  /**
   * Listens until the connection or the signal ends, and calls `connected` once it does. The result of `take` is sent
   * back to the person who answered, if the channel supports that.
   */
  answers(take: (answer: GivenAnswer) => Taken, connected: () => void, signal: AbortSignal): Promise<void>;
}

/** True if an address can be opened from another machine; some servers reject buttons with one that can't. */
export function isElsewhere(address: string): boolean {
  return !isLoopbackUrl(address);
}
