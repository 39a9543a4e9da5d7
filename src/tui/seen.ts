/** How long a request has to be on the screen before keys answer it: one that has just come was not meant by them. */
const REST_MS = 400;

interface Seen {
  /** The request that the screen shows now. True when it has just come up. */
  opened(group: string | null): boolean;
  isArmed(group: string): boolean;
  close(): void;
}

/** Knows whether the open request was seen; calls when it may be answered. */
export function createSeen(now: () => number, onArmed: () => void): Seen {
  let open: string | null = null;
  let armedAt = 0;
  let timer: NodeJS.Timeout | null = null;

  function set(group: string | null, at: number): void {
    open = group;
    armedAt = at;
    if (timer) clearTimeout(timer);
    timer = at > now() ? setTimeout(onArmed, at - now() + 5) : null;
  }

  return {
    opened(group) {
      if (group === open) return false;
      set(group, group === null ? 0 : now() + REST_MS);
      return group !== null;
    },
    isArmed: (group) => group === open && now() >= armedAt,
    close() {
      if (timer) clearTimeout(timer);
    },
  };
}
