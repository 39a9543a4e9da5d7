import type { RequestGroup } from './groups.ts';

/** How long a request has to be on the screen before keys answer it: one that has just come was not meant by them. */
const GUARD_MS = 400;

interface KeyGuard {
  /** The request that the screen shows now. True when it, or one more that a key would answer, has just come up. */
  opened(group: Pick<RequestGroup, 'key' | 'ids'> | null): boolean;
  isArmed(group: string): boolean;
  close(): void;
}

/** Knows whether the open request was seen; calls when it may be answered. */
export function createKeyGuard(now: () => number, onArmed: () => void): KeyGuard {
  let open: string | null = null;
  let ids: ReadonlySet<string> = new Set();
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
      const key = group?.key ?? null;
      const isSame = key === open && (group?.ids ?? []).every((id) => ids.has(id));
      ids = new Set(group?.ids);
      if (isSame) return false;
      set(key, key === null ? 0 : now() + GUARD_MS);
      return key !== null;
    },
    isArmed: (group) => group === open && now() >= armedAt,
    close() {
      if (timer) clearTimeout(timer);
    },
  };
}
