import type { HookResponse } from '../../model/responses.ts';
import { BoundedMap } from '../../platform/bounded.ts';

/** Answers of models, and how often each hook asked one. */
export interface PromptMemory {
  recall(key: string): HookResponse | undefined;
  keep(key: string, response: HookResponse): void;
  /** Throws if a hook exceeded its hourly limit. */
  spend(hook: string, perHour: number): void;
}

const HOUR_MS = 3_600_000;
const MAX_KEPT = 1_000;

export function createPromptMemory(now: () => number = Date.now): PromptMemory {
  const kept = new BoundedMap<string, { readonly response: HookResponse; readonly at: number }>(MAX_KEPT);
  const spent = new Map<string, number[]>();
  return {
    recall(key) {
      const known = kept.get(key);
      return known && now() - known.at < HOUR_MS ? known.response : undefined;
    },
    keep(key, response) {
      kept.set(key, { response, at: now() });
    },
    spend(hook, perHour) {
      const recent = (spent.get(hook) ?? []).filter((at) => now() - at < HOUR_MS);
      if (recent.length >= perHour)
        throw new Error(`it has called its model ${perHour} times within an hour`);
      spent.set(hook, [...recent, now()]);
    },
  };
}
