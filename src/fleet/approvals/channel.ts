import * as v from 'valibot';
import type { Approval } from '../../approvals/approval.ts';
import { limitText } from '../../approvals/limits.ts';
import type { AnswerCard, AnswerChannel, GivenAnswer, Taken } from '../../notify/channel.ts';
import { visibleLine } from '../../terminal/visible.ts';
import { type Machine, shortMachineId } from '../machine.ts';
import type { Approver } from './approvers.ts';
import { answerMessage, type End, LONGEST_TIMER_MS, shownHash, type Verdict } from './messages.ts';
import type { Messenger } from './messenger.ts';

/** The approvers in the fleet as a channel. Their answers are checked like those of any other channel. */
export interface FleetChannel extends AnswerChannel {
  /** A machine connected and gets the pending approvals. */
  greet(machine: string): void;
  /** An approval ended. */
  ended(approval: Approval): void;
}

interface FleetChannelParts {
  readonly messenger: Messenger;
  readonly machine: Machine;
  /** The current list. */
  approvers(): readonly Approver[];
  find(id: string): Approval | null;
  /** The server rejects an approval as too large. */
  tooLarge(id: string): void;
}

/** Ended approvals are kept for a while, to explain why a late answer doesn't count. */
const MOST_KEPT = 500;

/** A card, and whether it is still pending. Its tickets stay here, because approvers are identified by their key. */
interface Sent {
  /** Without its text once it ended, which may be megabytes. */
  card: AnswerCard;
  /** Hash of its text. */
  readonly hash: string;
  isOpen: boolean;
}

export function fleetChannel(parts: FleetChannelParts): FleetChannel {
  const { messenger, machine, approvers } = parts;
  const sent = new Map<string, Sent>();
  const tell = (to: string, { id, text, allow }: AnswerCard) => {
    const left = (parts.find(id)?.expiresAt ?? 0) - Date.now();
    const leftMs = Math.min(Math.max(0, left), LONGEST_TIMER_MS);
    const body = { name: machine.name, shown: text, mayAllow: allow !== null, leftMs };
    if (!messenger.send('pending', to, body)) parts.tooLarge(id);
  };
  return {
    name: 'fleet',
    async send(card) {
      sent.delete(card.id);
      sent.set(card.id, { card, hash: shownHash(card.text), isOpen: true });
      for (const id of sent.keys()) if (sent.size > MOST_KEPT) sent.delete(id);
      for (const one of approvers()) tell(one.machine, card);
    },
    greet(from) {
      if (!approvers().some((one) => one.machine === from)) return;
      for (const { card, isOpen } of sent.values()) if (isOpen) tell(from, card);
    },
    ended(approval) {
      const known = sent.get(approval.id);
      const end = endMessage(approval);
      if (!known?.isOpen || end === null) return;
      known.isOpen = false;
      known.card = { ...known.card, text: '' };
      for (const one of approvers()) messenger.send('ended', one.machine, { id: approval.id, end });
    },
    // Notifications are for people away from a machine.
    tell: async () => {},
    async answers(take, connected, signal) {
      const hear = (from: string, body: unknown) => {
        const approver = approvers().find((one) => one.machine === from) ?? null;
        const verdict = takeFrom(take, { from, approver, body, sent }, parts);
        if (verdict) messenger.send('verdict', from, verdict);
      };
      messenger.listen('answer', machine.id, hear, (from) => {
        take(stranger(`the machine ${shownId(from)} did not sign it`, from));
      });
      connected();
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
    },
  };
}

interface FromMachine {
  readonly from: string;
  readonly approver: Approver | null;
  readonly body: unknown;
  readonly sent: ReadonlyMap<string, Sent>;
}

function takeFrom(
  take: (answer: GivenAnswer) => Taken,
  { from, approver, body, sent }: FromMachine,
  { find }: FleetChannelParts,
): Verdict | null {
  const parsed = v.safeParse(answerMessage, body);
  if (!parsed.success) {
    take(stranger('it is not a valid answer', from));
    return null;
  }
  const { id, nonce, by, message } = parsed.output;
  const problem = problemWith(parsed.output, { from, approver, known: sent.get(id) ?? null });
  const text = sent.get(id)?.card[parsed.output.decision] ?? '';
  // With the surface on that machine where it was answered.
  const [, person = by, surface = ''] = /^(.+) \((.+)\)$/.exec(by) ?? [];
  const taken = take({
    text,
    from: [approver?.name ?? shownId(from), visibleLine(surface)].filter(Boolean).join(', '),
    stranger: problem,
    person: visibleLine(person),
    ...(message === undefined ? {} : { message }),
  });
  const approval = approver === null ? null : find(id);
  // Only approvers learn the reason; others learn nothing about pending approvals.
  const words = approver !== null && problem !== null ? `Answer rejected: ${problem}.` : taken.words;
  return { nonce, ...taken, words, end: approval && endMessage(approval) };
}

/** Why this answer doesn't count, whether or not the approval is still pending; null if that is not decided yet. */
function problemWith(
  { id, decision, shown }: v.InferOutput<typeof answerMessage>,
  { from, approver, known }: Pick<FromMachine, 'from' | 'approver'> & { readonly known: Sent | null },
): string | null {
  if (approver === null) return `the machine ${shownId(from)} can't answer here`;
  if (known === null) return `no approval ${visibleLine(id).slice(0, 16)} was sent to ${approver.name}`;
  if (known.hash !== shown) return `${approver.name} was shown a different version of ${id}`;
  if (decision === 'deny') return null;
  if (approver.only === 'deny')
    return `${approver.name} ${limitText({ only: approver.only, projects: null })}`;
  return known.card.allow === null ? `${id} can't be allowed from another machine` : null;
}

function stranger(why: string, from: string): GivenAnswer {
  return { text: '', from: shownId(from), stranger: why };
}

/** A subject can name any machine. */
const shownId = (machine: string) => shortMachineId(visibleLine(machine));

function endMessage({ state, settledBy }: Approval): End | null {
  return state === 'pending' ? null : { state, by: settledBy };
}
