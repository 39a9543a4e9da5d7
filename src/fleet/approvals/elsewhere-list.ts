import type * as v from 'valibot';
import type { ShownApproval } from '../../approvals/approval.ts';
import { isTooDeep } from '../../wire/json-scan.ts';
import { LONGEST_NAME, shortMachineId } from '../machine.ts';
import { shownText } from '../shown-text.ts';
import { type End, LONGEST_TIMER_MS, parseShown, type pendingMessage } from './messages.ts';

/** An approval pending on another machine. */
export interface RemoteApproval {
  readonly machine: { readonly id: string; readonly name: string };
  /** As listed here. */
  readonly approval: ShownApproval;
  /** The original text. */
  readonly shown: string;
  readonly mayAllow: boolean;
}

/** The machine where it is pending, and its ID there. */
interface At {
  readonly id: string;
  readonly machine?: { readonly id: string };
}

interface RemoteApprovalList {
  list(): readonly ShownApproval[];
  find(at: At): RemoteApproval | null;
  add(machine: string, message: v.InferOutput<typeof pendingMessage>): void;
  /** Removes an approval that is no longer pending. Returns it with its end. */
  end(one: RemoteApproval, end: End): ShownApproval;
  /** Drops all approvals of a machine that restarts. */
  forget(machine: string): void;
  clear(why: string): void;
}

/** More than a person can review. The limit per machine leaves room for the others. */
const MOST_OF_ONE = 100;
const MOST = 500;
const MOST_CHARS_OF_ONE = 4 << 20;
const MOST_CHARS = 16 << 20;

/**
 * @param tell called when an approval is added or ended
 * @param isOurs true if this machine has an approval with that ID
 */
export function createRemoteApprovalList(
  tell: (approval: ShownApproval) => void,
  isOurs: (id: string) => boolean,
): RemoteApprovalList {
  const known = new Map<string, { readonly one: RemoteApproval; readonly timer: NodeJS.Timeout }>();
  const keyOf = ({ id, machine }: At) => `${machine?.id ?? ''}/${id}`;
  const all = () => [...known.values()].map(({ one }) => one);
  /** An answer names an ID only, so IDs must be unique across machines. */
  const isTaken = (id: string) => isOurs(id) || all().some(({ approval }) => approval.id === id);

  function drop(at: At): void {
    clearTimeout(known.get(keyOf(at))?.timer);
    known.delete(keyOf(at));
  }

  function end({ approval }: RemoteApproval, { state, by }: End): ShownApproval {
    const ended = { ...approval, state, settledAt: Date.now(), settledBy: by };
    const wasThere = known.has(keyOf(approval));
    drop(approval);
    if (wasThere) tell(ended);
    return ended;
  }

  return {
    list: () => all().map(({ approval }) => approval),
    find: (at) => known.get(keyOf(at))?.one ?? null,
    add(machine, message) {
      const one = remoteApprovalOf(machine, message);
      const left = one === null ? 0 : one.approval.expiresAt - Date.now();
      if (one === null || left <= 0) return;
      drop(one.approval);
      if (isTaken(one.approval.id) || !hasRoom(one, all())) return;
      const expire = () => end(one, { state: 'expired', by: 'time' });
      const timer = setTimeout(expire, Math.min(left, LONGEST_TIMER_MS)).unref();
      known.set(keyOf(one.approval), { one, timer });
      tell(one.approval);
    },
    end,
    forget(machine) {
      for (const one of all().filter((other) => other.machine.id === machine))
        end(one, { state: 'withdrawn', by: `${one.machine.name} was reset` });
    },
    clear(why) {
      for (const one of all()) end(one, { state: 'withdrawn', by: why });
    },
  };
}

function hasRoom({ machine, shown }: RemoteApproval, known: readonly RemoteApproval[]): boolean {
  const ofOne = known.filter((one) => one.machine.id === machine.id);
  const chars = (those: readonly RemoteApproval[]) =>
    those.reduce((sum, one) => sum + one.shown.length, shown.length);
  return (
    known.length < MOST &&
    ofOne.length < MOST_OF_ONE &&
    chars(known) <= MOST_CHARS &&
    chars(ofOne) <= MOST_CHARS_OF_ONE
  );
}

/** Null if it isn't an approval. Surfaces show it like their own, with the machine's name. */
function remoteApprovalOf(
  id: string,
  { name, shown, mayAllow, leftMs }: v.InferOutput<typeof pendingMessage>,
): RemoteApproval | null {
  // Deeper data could be read but not sent to the dashboard, and would block all other approvals.
  const approval = isTooDeep(shown) ? null : parseShown(shown);
  if (approval === null) return null;
  const machine = { id, name: shownText(name, LONGEST_NAME) || shortMachineId(id) };
  const place = [machine.name, approval.place].filter(Boolean).join(': ');
  // It can be answered only once, so no grant is offered. Its group contains no approvals of this machine.
  const listed = { ...approval, place, covers: null, group: `${id} ${approval.group}`, machine };
  // Its times come from the other machine's clock. Here they are converted to this machine's.
  const ahead = leftMs === undefined ? 0 : Date.now() + leftMs - approval.expiresAt;
  const times = { createdAt: approval.createdAt + ahead, expiresAt: approval.expiresAt + ahead };
  return { machine, approval: { ...listed, ...times }, shown, mayAllow };
}
