import { LazyMap } from '../../platform/bounded.ts';
import { confirmedBy } from '../../wire/protocol.ts';

type Then = (isDelivered: boolean) => void;

/** Answers of a connection of which the other end says that they arrived. */
export interface Deliveries {
  /** Calls back once the answer has arrived, or when the other end is gone before it said so. */
  await(requestId: string, then: Then): void;
  /** The other end is gone. */
  hungUp(): void;
  /** Whether the line confirms one. Nearly no connection awaits any: only then the line is read for it. */
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
