import { type Approval, endOf, type ShownApproval } from '../../approvals/approval.ts';
import type { ApprovalQueue } from '../../approvals/queue.ts';
import type { Detail } from '../../home/channel-settings.ts';
import { messageOf } from '../../model/errors.ts';
import { cardHash, cardText, noticeWith } from './card.ts';
import type { AnswerChannel, GivenAnswer } from './channel.ts';
import type { Notice } from './notice.ts';
import { reasonOf, waitAfter } from './requests.ts';
import { createTickets } from './tickets.ts';

interface ChannelParts {
  readonly detail: Detail;
  readonly queue: Pick<ApprovalQueue, 'settle' | 'find' | 'pending'>;
  /** An approval as it is at the time it is asked about. */
  readonly shown: (approval: Approval) => ShownApproval;
  readonly now: () => number;
  /** Where "Open" leads. */
  readonly link: () => string;
  /** Who it is that answers. */
  readonly person: () => string;
  /** An answer that changed nothing; `why` is a part of a sentence. */
  refused(why: string): void;
  /** The channel does not work, or works again. */
  failed(why: string): void;
  worked(): void;
}

/** A channel at work. */
export interface RunningChannel {
  readonly name: string;
  /** Sends what waits, as often as it takes while it waits. Returns at once. */
  offer(approval: Approval): void;
  /** It has an end: what was sent about it counts no more. */
  settled(approval: Approval): void;
  /** Something that nobody has to answer; rejects where it could not be sent. */
  tell(notice: Notice): Promise<void>;
  close(): void;
}

/** Sends what waits through one channel, and takes those answers from it that were signed for exactly that. */
export function runChannel(channel: AnswerChannel, parts: ChannelParts): RunningChannel {
  const stopping = new AbortController();
  const { signal } = stopping;
  const tickets = createTickets(parts.now);
  /** What is being sent, or was: each with the way to give up. */
  const offers = new Map<string, AbortController>();

  function cardOf(approval: Approval) {
    const words = cardText(parts.shown(approval), parts.detail);
    return { words, hash: cardHash(approval, words) };
  }

  function offer(approval: Approval): void {
    if (offers.has(approval.id)) return;
    const giveUp = new AbortController();
    offers.set(approval.id, giveUp);
    void deliver(approval, AbortSignal.any([signal, giveUp.signal])).catch(failed);
  }

  async function deliver(approval: Approval, until: AbortSignal): Promise<void> {
    const { id, expiresAt } = approval;
    const { words, hash } = cardOf(approval);
    const { allow, deny } = tickets.issue({ id, hash, expiresAt });
    const { title, text, isWhole } = words;
    const card = { id, title, text, allow: isWhole ? allow : null, deny, open: parts.link() };
    await keepTrying(() => channel.send(card, until), until, failed);
    if (!until.aborted) parts.worked();
  }

  function failed(error: unknown): void {
    if (!signal.aborted) parts.failed(reasonOf(error));
  }

  function refuse(why: string): string {
    parts.refused(why);
    return 'This answer does not count: it is not what waits, or not any more.';
  }

  function take({ text, from, stranger }: GivenAnswer): string {
    if (stranger !== null) return refuse(stranger);
    const ticket = tickets.check(text);
    if (!ticket.ok) return refuse(ticket.why);
    const { id, decision, hash } = ticket;
    const approval = parts.queue.find(id);
    if (approval === null) return refuse(`there is no approval ${id}`);
    if (approval.state !== 'pending') return refuse(`${id} was ${endOf(approval)} before`);
    if (cardOf(approval).hash !== hash) {
      // Whoever answers sees what it is now.
      offers.delete(id);
      offer(approval);
      return refuse(`${id} is no longer what was shown`);
    }
    const by = `${parts.person()} (${[channel.name, from].filter(Boolean).join(', ')})`;
    // Never for longer than this once, whatever a channel could be made to say.
    const settlement = { answer: { decision, scope: 'once' }, by } as const;
    const state = decision === 'allow' ? 'allowed' : 'denied';
    const { ok } = parts.queue.settle(id, { state, ...settlement });
    tickets.spend(id);
    if (!ok) return refuse(`${id} was answered before`);
    return decision === 'allow' ? 'Allowed once.' : 'Denied.';
  }

  void listen(channel, (answer) => carefully(() => take(answer), failed), parts.worked, failed, signal);

  return {
    name: channel.name,
    offer,
    settled(approval) {
      tickets.spend(approval.id);
      const sending = offers.get(approval.id);
      offers.delete(approval.id);
      sending?.abort();
      if (sending && channel.settled && !signal.aborted)
        channel.settled(approval.id, endOf(approval), signal).catch(failed);
    },
    tell: (notice) => channel.tell(noticeWith(parts.detail, notice), signal),
    close: () => stopping.abort(),
  };
}

/** A store that cannot be written keeps the answer from counting, and nothing else. */
function carefully(take: () => string, failed: (error: unknown) => void): string {
  try {
    return take();
  } catch (error) {
    failed(error);
    return `This answer could not be recorded: ${messageOf(error)}`;
  }
}

/** Until it succeeds, or the signal says that nobody needs it any more. */
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
    await waitAfter(failures, signal);
  }
}

/** Listens again whenever the connection ends. */
async function listen(
  channel: AnswerChannel,
  take: (answer: GivenAnswer) => string,
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
    await waitAfter(failures, signal);
  }
}
