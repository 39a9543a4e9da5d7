import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { Reply, ShownApproval } from '../../approvals/approval.ts';
import { limitProblem } from '../../approvals/limits.ts';
import { HooklineError } from '../../model/errors.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import { createFeed } from '../../platform/feed.ts';
import { LONGEST_NAME, type Machine } from '../machine.ts';
import { notConnected } from '../server/connection.ts';
import { shownText } from '../shown-text.ts';
import { createRemoteApprovalList, type RemoteApproval } from './elsewhere-list.ts';
import {
  endedMessage,
  hereMessage,
  pendingMessage,
  shownHash,
  type Verdict,
  verdictMessage,
} from './messages.ts';
import { ALL, type Messenger } from './messenger.ts';

/** Approvals of other machines in the fleet that can be answered here. */
export interface RemoteApprovals {
  list(): readonly ShownApproval[];
  /** Called when an approval is added or ended. */
  subscribe(listener: (approval: ShownApproval) => void): () => void;
  /** Not ok if another answer came first. */
  answer(approval: ShownApproval, reply: Reply, by: string): Promise<RemoteAnswer>;
  /** The machines that are online now, with their own names. */
  machines(): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** Listens on a connection. Returns the function that stops it. */
  follow(messenger: Messenger, self: Machine): () => void;
}

interface RemoteAnswer {
  readonly ok: boolean;
  readonly approval: ShownApproval;
}

/** The other machine decides at once, or is offline. */
const VERDICT_MS = 5_000;
const HERE_MS = 500;
/** Limits machines, because keys are free to create. */
const MOST_HERE = 10_000;

interface Following {
  readonly messenger: Messenger;
  /** By nonce, with the machine that was asked. */
  readonly verdicts: Map<string, { readonly machine: string; readonly resolve: (verdict: Verdict) => void }>;
  readonly here: Map<string, string>;
}

/** @param isOurs true if this machine has an approval with that ID */
export function createRemoteApprovals(isOurs: (id: string) => boolean): RemoteApprovals {
  const feed = createFeed<ShownApproval>();
  const known = createRemoteApprovalList(feed.publish, isOurs);
  let following: Following | null = null;

  return {
    list: known.list,
    subscribe: feed.subscribe,
    async answer(approval, reply, by) {
      const asked = known.find(approval);
      if (asked === null) throw new HooklineError('NOT_FOUND', `${approval.id} is no longer pending.`);
      const { name } = asked.machine;
      const verdict = following && (await ask(following, asked, decisionIn(asked, reply), by));
      if (verdict === null)
        throw new HooklineError('FLEET_UNREACHABLE', `${name} is unreachable.`, {
          hint: `Answer it on ${name} itself, or check the connection with \`hookline fleet status\`.`,
        });
      if (verdict.end) return { ok: verdict.counts, approval: known.end(asked, verdict.end) };
      throw new HooklineError(
        'NOT_A_PERSON',
        `${name} rejected the answer: ${shownText(verdict.words, 200)}`,
        {
          hint: `Run \`hookline fleet approvers\` on ${name} to see who can answer.`,
        },
      );
    },
    async machines() {
      if (following === null) throw notConnected();
      const { messenger, here } = following;
      messenger.send('who', ALL, {});
      await pause(HERE_MS);
      return [...here].map(([id, name]) => ({ id, name }));
    },
    follow(messenger, self) {
      const now: Following = { messenger, verdicts: new Map(), here: new BoundedMap(MOST_HERE) };
      following = now;
      listen(now, self, known);
      return () => {
        if (following === now) following = null;
        known.clear('the connection to the fleet ended');
      };
    },
  };
}

function listen(
  { messenger, verdicts, here }: Following,
  self: Machine,
  known: ReturnType<typeof createRemoteApprovalList>,
): void {
  const others = (hear: (from: string, body: unknown) => void) => (from: string, body: unknown) => {
    if (from !== self.id) hear(from, body);
  };
  messenger.listen(
    'hello',
    ALL,
    // It sends its pending approvals again.
    others((from) => known.forget(from)),
  );
  messenger.listen(
    'who',
    ALL,
    others((from) => void messenger.send('here', from, { name: self.name })),
  );
  messenger.listen('here', self.id, (from, body) => {
    if (v.is(hereMessage, body)) here.set(from, shownText(body.name, LONGEST_NAME));
  });
  messenger.listen('pending', self.id, (from, body) => {
    if (v.is(pendingMessage, body)) known.add(from, body);
  });
  messenger.listen('ended', self.id, (from, body) => {
    if (!v.is(endedMessage, body)) return;
    const asked = known.find({ id: body.id, machine: { id: from } });
    if (asked) known.end(asked, body.end);
  });
  messenger.listen('verdict', self.id, (from, body) => {
    if (!v.is(verdictMessage, body)) return;
    const asked = verdicts.get(body.nonce);
    // Others may have seen the nonce in transit.
    if (asked?.machine === from) asked.resolve(body);
  });
}

interface Decision {
  readonly decision: 'allow' | 'deny';
  readonly message?: string;
}

/** The part of an answer that may be sent to another machine: allow or deny, once. */
function decisionIn({ machine, approval, mayAllow }: RemoteApproval, reply: Reply): Decision {
  const refuse = (why: string) => {
    throw new HooklineError('NOT_A_PERSON', why, { hint: `Answer it on ${machine.name}.` });
  };
  const problem = limitProblem({ only: 'once', projects: null }, approval, reply);
  if (problem !== null) return refuse(problem);
  if (reply.decision === 'none')
    return refuse('From here you can allow or deny it, but not hand it back to its agent.');
  if (reply.answers !== undefined || reply.halt) return refuse('From here you can only allow or deny it.');
  if (reply.decision === 'allow' && !mayAllow) return refuse('It needs more than allow or deny.');
  const { decision, message } = reply;
  return { decision, ...(message === undefined ? {} : { message }) };
}

/** Null if the machine doesn't reply. */
async function ask(
  { messenger, verdicts }: Following,
  { machine, approval, shown }: RemoteApproval,
  decision: Decision,
  by: string,
): Promise<Verdict | null> {
  const nonce = randomBytes(16).toString('hex');
  try {
    return await new Promise<Verdict | null>((resolve) => {
      verdicts.set(nonce, { machine: machine.id, resolve });
      setTimeout(resolve, VERDICT_MS, null).unref();
      const body = { id: approval.id, ...decision, shown: shownHash(shown), by, nonce };
      if (!messenger.send('answer', machine.id, body)) resolve(null);
    });
  } finally {
    verdicts.delete(nonce);
  }
}
