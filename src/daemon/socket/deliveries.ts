import { LazyMap } from '../../platform/bounded.ts';
import { confirmedBy } from '../../wire/protocol.ts';

type Then = (isDelivered: boolean) => void;

/** Answers on a connection whose receiver confirms delivery. */
export interface Deliveries {
  /** Calls back once the answer was delivered, or if the peer disconnected before it confirmed. */
  await(requestId: string, then: Then): void;
  /** The peer disconnected. */
  hungUp(): void;
  /** True if the line confirms a delivery. Few connections wait for one, and only then is the line parsed for it. */
  confirm(line: Buffer): boolean;
}

export function createDeliveries(): Deliveries {
  const open = new LazyMap<string, Then>();
  let isGone = false;
  const end = (id: string, isDelivered: boolean) => {
    open.get(id)?.(isDelivered);
    return open.delete(id);
  };
  return {
    await(requestId, then) {
      if (isGone) then(false);
      else open.set(requestId, then);
    },
    hungUp() {
      isGone = true;
      if (open.size > 0) for (const id of [...open.keys()]) end(id, false);
    },
    confirm: (line) => open.size > 0 && end(confirmedBy(line) ?? '', true),
  };
}
