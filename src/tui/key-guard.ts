import type { RequestGroup } from './groups.ts';

/** How long an approval must be on the screen before keys answer it: earlier key presses were not meant for it. */
const GUARD_MS = 400;

interface KeyGuard {
  /** Notes the approval on the screen. True if it, or another one that a key would answer, is new. */
  opened(group: Pick<RequestGroup, 'key' | 'ids'> | null): boolean;
  isArmed(group: string): boolean;
  close(): void;
}

/** Tracks whether the open approval was seen, and calls `onArmed` once it may be answered. */
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
