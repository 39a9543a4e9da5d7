import { BoundedMap } from '../../platform/bounded.ts';

// What one machine may make others read: a lot at once, as when it starts with many pending approvals, and little
// after that. Verifying a signature takes 0.2 ms, in which the calls of agents wait.

const AT_ONCE = 1_000;
const A_SECOND = 100;
const BYTES = 16 << 10;
/** Rejected without a pause in between, so it won't stop by itself. */
const FLOOD = 5_000;
/** No team has more machines. */
const MOST_SENDERS = 10_000;

interface Sender {
  left: number;
  refused: number;
  at: number;
}

interface Allowance {
  /** Decides how to treat a message of this sender. */
  take(from: string, bytes: number): 'read' | 'pass over' | 'flood';
}

/** @param now in ms */
export function createAllowance(now: () => number = () => performance.now()): Allowance {
  const senders = new BoundedMap<string, Sender>(MOST_SENDERS);
  return {
    take(from, bytes) {
      const at = now();
      const known = senders.get(from);
      const sender = known ?? { left: AT_ONCE, refused: 0, at };
      if (known === undefined) senders.set(from, sender);
      sender.left = Math.min(AT_ONCE, sender.left + ((at - sender.at) * A_SECOND) / 1_000);
      sender.at = at;
      const cost = 1 + bytes / BYTES;
      if (sender.left < cost) {
        sender.refused += cost;
        return sender.refused > FLOOD ? 'flood' : 'pass over';
      }
      sender.left -= cost;
      // A flood ends when half of the allowance has come back, so only a pause ends it.
      if (sender.left > AT_ONCE / 2) sender.refused = 0;
      return 'read';
    },
  };
}
