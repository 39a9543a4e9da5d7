import { type Approval, type ShownApproval, settlementText } from '../approvals/approval.ts';
import type { ApprovalQueue } from '../approvals/queue.ts';
import { messageOf } from '../model/errors.ts';
import { waitBeforeRetry } from '../platform/wait.ts';
import { type CardText, cardHash, cardText, endWith, noticeWith } from './card.ts';
import type { AnswerChannel, GivenAnswer, Taken } from './channel.ts';
import type { Notice } from './notice.ts';
import type { Detail } from './settings.ts';
import { createTickets, type Tickets } from './tickets.ts';

interface ChannelParts {
  readonly detail: Detail;
  /** Text of an approval, if it differs from that of a notification. */
  readonly words?: (shown: ShownApproval, call: Approval) => CardText;
  readonly queue: Pick<ApprovalQueue, 'settle' | 'find' | 'pending'>;
  /** The current state of an approval. */
  readonly shown: (approval: Approval) => ShownApproval;
  readonly now: () => number;
  /** Target of "Open". */
  readonly link: () => string;
  /** The person who answers. */
  readonly person: () => string;
  /** An answer without effect; `why` is part of a sentence. */
  refused(why: string): void;
  /** The channel stopped working, or works again. */
  failed(why: string): void;
  worked(): void;
}

/** A running channel. */
export interface RunningChannel {
  readonly name: string;
  /** Sends a pending approval, and retries while it is pending. Returns at once. */
  offer(approval: Approval): void;
  /** The approval ended, so answers to its messages no longer count. */
  settled(approval: Approval): void;
  /** Sends a notification that needs no answer; rejects if it could not be sent. */
  tell(notice: Notice): Promise<void>;
  close(): void;
}

/** Sends approvals through one channel, and accepts only answers signed for exactly what was sent. */
export function runChannel(channel: AnswerChannel, parts: ChannelParts): RunningChannel {
  const stopping = new AbortController();
  const { signal } = stopping;
  const tickets = createTickets(parts.now);
  const failed = (error: unknown) => {
    if (!signal.aborted) parts.failed(messageOf(error));
  };
  const offers = createOffers(channel, parts, tickets, failed);
  const take = createTaking(channel.name, parts, tickets, offers);
  void listen(channel, (answer) => carefully(() => take(answer), failed), parts.worked, failed, signal);
  return {
    name: channel.name,
    offer: offers.add,
    settled(approval) {
      tickets.spend(approval.id);
      if (offers.end(approval.id) && !signal.aborted)
        channel.settled?.(approval.id, endWith(parts.detail, approval), signal).catch(failed);
    },
    tell: (notice) => channel.tell(noticeWith(parts.detail, notice), signal),
    close() {
      stopping.abort();
      offers.close();
    },
  };
}

/** Sent approvals, and those being sent. */
interface Offers {
  add(approval: Approval): void;
  /** Stops sending it. False if there was none. */
  end(id: string): boolean;
  close(): void;
}

function createOffers(
  channel: AnswerChannel,
  parts: ChannelParts,
  tickets: Tickets,
  failed: (error: unknown) => void,
): Offers {
  const sending = new Map<string, AbortController>();

  async function deliver(approval: Approval, until: AbortSignal): Promise<void> {
    const { id, expiresAt } = approval;
    const { title, text, isWhole, hash } = cardOf(approval, parts);
    const { allow, deny } = tickets.issue({ id, hash, expiresAt });
    const card = { id, title, text, allow: isWhole ? allow : null, deny, open: parts.link() };
    await keepTrying(() => channel.send(card, until), until, failed);
    if (!until.aborted) parts.worked();
  }

  return {
    add(approval) {
      if (sending.has(approval.id)) return;
      const giveUp = new AbortController();
      sending.set(approval.id, giveUp);
      void deliver(approval, giveUp.signal).catch(failed);
    },
    end(id) {
      sending.get(id)?.abort();
      return sending.delete(id);
    },
    close() {
      for (const giveUp of sending.values()) giveUp.abort();
    },
  };
}

function cardOf(
  approval: Approval,
  { shown, detail, words: wordsOf = (one, call) => cardText(one, detail, call) }: ChannelParts,
): CardText & { readonly hash: string } {
  const words = wordsOf(shown(approval), approval);
  return { ...words, hash: cardHash(approval, words) };
}

/** Applies an answer, and returns the text for the person who gave it. */
function createTaking(
  name: string,
  parts: ChannelParts,
  tickets: Tickets,
  offers: Offers,
): (given: GivenAnswer) => Taken {
  const { queue } = parts;
  const refuse = (why: string): Taken => {
    parts.refused(why);
    return {
      counts: false,
      words: 'Answer rejected: the approval has changed or is no longer pending.',
    };
  };
  return ({ text, from, stranger, person = parts.person(), message }) => {
    if (stranger !== null) return refuse(stranger);
    const ticket = tickets.check(text);
    if (!ticket.ok) return refuse(ticket.why);
    const { id, decision, hash } = ticket;
    const approval = queue.find(id);
    if (approval === null) return refuse(`there is no approval ${id}`);
    if (approval.state !== 'pending') return refuse(`${id} was ${settlementText(approval)} before`);
    if (cardOf(approval, parts).hash !== hash) {
      // The person who answers gets the changed approval.
      offers.end(id);
      offers.add(approval);
      return refuse(`${id} is no longer what was shown`);
    }
    const by = `${person} (${[name, from].filter(Boolean).join(', ')})`;
    const state = decision === 'allow' ? 'allowed' : 'denied';
    // Always once, whatever a channel may be made to send.
    const answer = { decision, scope: 'once', ...(message === undefined ? {} : { message }) } as const;
    const { ok } = queue.settle(id, { state, answer, by });
    tickets.spend(id);
    if (!ok) return refuse(`${id} was answered before`);
    return { counts: true, words: decision === 'allow' ? 'Allowed once.' : 'Denied.' };
  };
}

/** If the store can't be written, the answer doesn't count, and nothing else fails. */
function carefully(take: () => Taken, failed: (error: unknown) => void): Taken {
  try {
    return take();
  } catch (error) {
    failed(error);
    return { counts: false, words: `This answer could not be recorded: ${messageOf(error)}` };
  }
}

/** Retries until it succeeds or the signal aborts. */
async function keepTrying(
  work: () => Promise<void>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted) return;
      failed(error);
    }
    await waitBeforeRetry(failures, signal);
  }
}

/** Listens again whenever the connection ends. */
async function listen(
  channel: AnswerChannel,
  take: (answer: GivenAnswer) => Taken,
  worked: () => void,
  failed: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const connected = () => {
    failures = 0;
    worked();
  };
  while (!signal.aborted) {
    try {
      await channel.answers(take, connected, signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    failures += 1;
    await waitBeforeRetry(failures, signal);
  }
}
