import type { Approval, ShownApproval } from '../../approvals/approval.ts';
import { type Approver, readApprovers } from '../../fleet/approvers.ts';
import type { FleetSession } from '../../fleet/connection.ts';
import { ALL, type Messenger, openMessenger } from '../../fleet/messenger.ts';
import type { FleetContext, OpenPart } from '../../fleet/part.ts';
import { messageOf } from '../../model/errors.ts';
import { whoDecides } from '../../platform/user-name.ts';
import { redact } from '../../redact/redact.ts';
import type { Hub } from '../hub.ts';
import { type CardText, canBeAllowed, hides } from '../notify/card.ts';
import { recordRefusals } from '../notify/open-channels.ts';
import { runChannel } from '../notify/run-channel.ts';
import { shownApproval } from '../shown-approval.ts';
import { type FleetChannel, fleetChannel } from './channel.ts';
import { type CopiedHomeWatch, watchCopiedHome } from './copied-home.ts';

type ApprovalsHub = Pick<Hub, 'note'> & { readonly approvals: Pick<Hub['approvals'], 'queue' | 'remote'> };

/**
 * What waits here is shown on the machines whose people may answer it, and what waits there is shown here. Nothing waits for
 * the server: without it the surfaces of each machine decide, as they always can.
 */
export function openApprovalsPart(hub: ApprovalsHub): OpenPart {
  return (context) => {
    const refused = recordRefusals('the fleet', context.home, hub);
    const approvers = () => approversOf(context);
    const copied = watchCopiedHome(context);
    return {
      name: 'approvals',
      run: (session) => runApprovals(session, context, { hub, refused, approvers, copied }),
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
  refused(why: string): void;
  approvers(): readonly Approver[];
  readonly copied: CopiedHomeWatch;
}

/** Nobody, where the list cannot be read. */
function approversOf({ home }: FleetContext): readonly Approver[] {
  try {
    return readApprovers(home.paths);
  } catch (error) {
    home.log('error', `nobody of the fleet may answer: ${messageOf(error)}`);
    return [];
  }
}

/** Until the session ends; rejects where the server does not let the machine listen. */
async function runApprovals(
  { nats, signal }: FleetSession,
  context: FleetContext,
  parts: Parts,
): Promise<void> {
  const { home, machine, names } = context;
  const endings: (() => void)[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve());
      const failed = (why: string) => reject(new Error(why));
      const messenger = openMessenger({ nats }, { signer: home.signer, machine, names, failed });
      endings.push(
        messenger.close,
        parts.hub.approvals.remote.follow(messenger, machine),
        offerHere(messenger, context, parts, failed),
      );
      parts.copied.follow(messenger);
      if (signal.aborted) resolve();
    });
  } finally {
    for (const end of endings) end();
  }
}

/** Offers what waits here. Gives the way to stop. */
function offerHere(
  messenger: Messenger,
  { home, machine }: FleetContext,
  { hub, refused, approvers }: Parts,
  failed: (why: string) => void,
): () => void {
  const { queue } = hub.approvals;
  const tooLarge = (id: string) =>
    home.log('warning', `the approval ${id} was not sent to the fleet: it is answered here`);
  const channel = fleetChannel({ messenger, machine, approvers, find: queue.find, tooLarge });
  const running = runChannel(channel, {
    detail: 'full',
    words: wordsOf,
    queue,
    shown: shownApproval,
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
    // A call must not wait for any of it.
    setImmediate(() => {
      try {
        tell(queue.find(approval.id) ?? approval);
      } catch (error) {
        home.log('error', `an approval was not told to the fleet: ${messageOf(error)}`);
      }
    });
  });
  // First: whoever hears it forgets what was sent before.
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

/** All of it, as the surfaces of this machine get it; where a secret was taken out, it can only be denied. */
function wordsOf(shown: ShownApproval, call: Approval): CardText {
  const text = JSON.stringify(shown);
  return { title: '', text: redact(text), isWhole: canBeAllowed(shown) && !hides(shown, call, text) };
}
