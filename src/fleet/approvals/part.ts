import type { Approval, ShownApproval } from '../../approvals/approval.ts';
import type { ApprovalQueue } from '../../approvals/queue.ts';
import { messageOf } from '../../model/errors.ts';
import type { CallRecord } from '../../model/recording.ts';
import { type CardText, canBeAllowed, hides } from '../../notify/card.ts';
import { recordRejections } from '../../notify/rejected-answers.ts';
import { runChannel } from '../../notify/run-channel.ts';
import { whoDecides } from '../../platform/user-name.ts';
import { waitFor } from '../../platform/wait.ts';
import { redact } from '../../redact/redact.ts';
import { visibleLine } from '../../terminal/visible.ts';
import { shortMachineId } from '../machine.ts';
import type { FleetContext, OpenPart } from '../part.ts';
import type { FleetSession } from '../server/connection.ts';
import { type Approver, readApprovers } from './approvers.ts';
import { type FleetChannel, fleetChannel } from './channel.ts';
import { type CopiedHomeWatch, watchCopiedHome } from './copied-home.ts';
import type { RemoteApprovals } from './elsewhere.ts';
import { ALL, type Messenger, openMessenger } from './messenger.ts';

/** Access to the daemon's approvals. */
interface ApprovalsHub {
  readonly approvals: { readonly queue: ApprovalQueue; readonly remote: RemoteApprovals };
  note(record: CallRecord): void;
}

/** An approval prepared for display. */
type Shown = (approval: Approval) => ShownApproval;

/**
 * Shows this machine's approvals on the machines that can answer them, and theirs here. Nothing waits for the server:
 * without it, each machine's own surfaces decide, as they always can.
 */
export function openApprovalsPart(hub: ApprovalsHub, shown: Shown): OpenPart {
  return (context) => {
    const refused = recordRejections('the fleet', context.home, hub);
    const approvers = () => approversOf(context);
    const copied = watchCopiedHome(context);
    return {
      name: 'approvals',
      run: (session) => runApprovals(session, context, { hub, shown, refused, approvers, copied }),
      status: () => ({
        approvers: approvers().length,
        elsewhere: hub.approvals.remote.list().length,
        copy: copied.copy(),
      }),
    };
  };
}

interface Parts {
  readonly hub: ApprovalsHub;
  readonly shown: Shown;
  refused(why: string): void;
  approvers(): readonly Approver[];
  readonly copied: CopiedHomeWatch;
}

/** Empty if the list cannot be read, so that no approver counts. */
function approversOf({ home }: FleetContext): readonly Approver[] {
  try {
    return readApprovers(home.paths);
  } catch (error) {
    home.log('error', `no machine of the fleet can answer: ${messageOf(error)}`);
    return [];
  }
}

/** Pause in listening after a machine sent without limit. */
const QUIET_MS = 60_000;
const FLOOD = 'fleet-flood';

/** Runs until the session ends. Rejects if the server doesn't let the machine listen. */
async function runApprovals(session: FleetSession, context: FleetContext, parts: Parts): Promise<void> {
  const { alerts } = context.home;
  for (;;) {
    const flooding = await exchangeApprovals(session, context, parts);
    if (flooding === null) return alerts.clear(FLOOD);
    alerts.raise({
      code: FLOOD,
      level: 'problem',
      message: `The machine ${shortMachineId(visibleLine(flooding))} sends too many messages, so approvals between machines are delayed by a minute.`,
      fix: 'Ask the fleet administrator to revoke its login.',
    });
    await waitFor(QUIET_MS, session.signal);
    alerts.clear(FLOOD);
    if (session.signal.aborted) return;
  }
}

/** Returns the machine that sent without limit; null when the session ends. */
async function exchangeApprovals(
  { nats, signal }: FleetSession,
  context: FleetContext,
  parts: Parts,
): Promise<string | null> {
  const { home, machine, names } = context;
  const endings: (() => void)[] = [];
  try {
    return await new Promise<string | null>((resolve, reject) => {
      const end = () => resolve(null);
      signal.addEventListener('abort', end, { once: true });
      endings.push(() => signal.removeEventListener('abort', end));
      const failed = (why: string) => reject(new Error(why));
      const messenger = openMessenger(
        { nats },
        { signer: home.signer, machine, names, failed, flooded: resolve },
      );
      endings.push(
        messenger.close,
        parts.hub.approvals.remote.follow(messenger, machine),
        offerHere(messenger, context, parts, failed),
      );
      parts.copied.follow(messenger);
      if (signal.aborted) end();
    });
  } finally {
    for (const end of endings) end();
  }
}

/** Offers approvals of this machine to others. Returns a function that stops it. */
function offerHere(
  messenger: Messenger,
  { home, machine }: FleetContext,
  { hub, shown, refused, approvers }: Parts,
  failed: (why: string) => void,
): () => void {
  const { queue } = hub.approvals;
  const tooLarge = (id: string) =>
    home.log('warning', `the approval ${id} was not sent to the fleet; answer it here`);
  const channel = fleetChannel({ messenger, machine, approvers, find: queue.find, tooLarge });
  const running = runChannel(channel, {
    detail: 'full',
    words: wordsOf,
    queue,
    shown,
    now: Date.now,
    link: () => '',
    person: whoDecides,
    refused,
    failed,
    worked: () => {},
  });
  messenger.listen('hello', ALL, (from) => {
    if (from !== machine.id) channel.greet(from);
  });
  const tell = (approval: Approval) => tellFleet(approval, channel, running);
  const unsubscribe = queue.subscribe((approval) => {
    // A call must not wait for this.
    setImmediate(() => {
      try {
        tell(queue.find(approval.id) ?? approval);
      } catch (error) {
        home.log('error', `the fleet was not notified of an approval: ${messageOf(error)}`);
      }
    });
  });
  // Sent first: machines that receive it drop earlier messages.
  messenger.send('hello', ALL, {});
  for (const approval of queue.pending()) tell(approval);
  return () => {
    unsubscribe();
    running.close();
  };
}

function tellFleet(approval: Approval, channel: FleetChannel, running: ReturnType<typeof runChannel>): void {
  if (approval.state === 'pending') running.offer(approval);
  else {
    channel.ended(approval);
    running.settled(approval);
  }
}

/** The full text as shown on this machine. If a secret was redacted, the approval can only be denied. */
function wordsOf(shown: ShownApproval, call: Approval): CardText {
  const text = JSON.stringify(shown);
  return { title: '', text: redact(text), isWhole: canBeAllowed(shown) && !hides(shown, call, text) };
}
