import { confirmedBy } from '../../wire/protocol.ts';

type Then = (isDelivered: boolean) => void;

/** Answers of a connection of which the other end says that they arrived. */
interface Deliveries {
  /** Calls back once the answer has arrived, or when the other end is gone before it said so. */
  await(requestId: string, then: Then): void;
  /** Whether the line confirms one. Nearly no connection awaits any: only then the line is read for it. */
  confirm(line: Buffer): boolean;
}

export function createDeliveries(gone: AbortSignal): Deliveries {
  const open = new Map<string, Then>();
  const end = (id: string, isDelivered: boolean) => {
    open.get(id)?.(isDelivered);
    return open.delete(id);
  };
  gone.addEventListener('abort', () => [...open.keys()].forEach((id) => void end(id, false)));
  return {
    await(requestId, then) {
      if (gone.aborted) then(false);
      else open.set(requestId, then);
    },
    confirm: (line) => open.size > 0 && end(confirmedBy(line) ?? '', true),
  };
}
