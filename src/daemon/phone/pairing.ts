import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../../platform/bounded.ts';

/** The state of a code. */
type PairingState =
  | { readonly state: 'waiting'; readonly until: number }
  | { readonly state: 'paired'; readonly device: string }
  /** Expired, or never existed. */
  | { readonly state: 'over' };

/** A code that admits one device, once. */
export interface PairingCode {
  /** For querying its state; it grants no access. */
  readonly id: string;
  readonly code: string;
  readonly until: number;
}

/** Admits devices by codes that a person asked for. */
export interface Pairing {
  issue(by: string): PairingCode;
  state(id: string): PairingState;
  /**
   * Uses up a code. `letIn` creates the device.
   * @param from the address that it comes from
   */
  redeem<T extends { readonly device: { readonly name: string } }>(
    code: string,
    from: string,
    letIn: (by: string) => T,
  ): T | 'wrong' | 'too-often';
}

/** Documented in docs/security.md. */
export const PAIRING_MS = 5 * 60_000;
const MOST_CODES = 5;
const MINUTE_MS = 60_000;
/** Wrong codes per minute, from one address and from all. A code has 128 bits, so this only keeps the log readable. */
const MOST_WRONG = 5;
const MOST_WRONG_OF_ALL = 60;
const MOST_ADDRESSES = 1_000;

export function createPairing(now: () => number = Date.now): Pairing {
  const codes = new BoundedMap<string, PairingCode & { readonly by: string }>(MOST_CODES);
  const paired = new BoundedMap<string, string>(MOST_CODES);
  const wrong = createCounts(now);
  return {
    issue(by) {
      const made = { id: secret(8), code: secret(16), until: now() + PAIRING_MS };
      codes.set(made.code, { ...made, by });
      return made;
    },
    state(id) {
      const device = paired.get(id);
      if (device !== undefined) return { state: 'paired', device };
      const found = [...codes.values()].find((one) => one.id === id);
      return found && now() <= found.until ? { state: 'waiting', until: found.until } : { state: 'over' };
    },
    redeem(code, from, letIn) {
      if (wrong.isTooMany(from)) return 'too-often';
      const found = codes.get(code);
      codes.delete(code);
      if (!found || now() > found.until) {
        wrong.count(from);
        return 'wrong';
      }
      const made = letIn(found.by);
      paired.set(found.id, made.device.name);
      return made;
    },
  };
}

/** Number of failures in the last minute. */
function createCounts(now: () => number): { count(from: string): void; isTooMany(from: string): boolean } {
  const ALL = '';
  const counts = new BoundedMap<string, { readonly since: number; readonly times: number }>(MOST_ADDRESSES);
  const timesOf = (from: string) => {
    const found = counts.get(from);
    return found && now() - found.since < MINUTE_MS ? found : { since: now(), times: 0 };
  };
  return {
    count(from) {
      for (const one of [from, ALL]) {
        const { since, times } = timesOf(one);
        counts.set(one, { since, times: times + 1 });
      }
    },
    isTooMany: (from) => timesOf(from).times >= MOST_WRONG || timesOf(ALL).times >= MOST_WRONG_OF_ALL,
  };
}

function secret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
