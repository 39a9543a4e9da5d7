import { setFlagsFromString } from 'node:v8';
import type { Flag } from '../platform/code-cache.ts';

/** Garbage collected above this percentage of the memory in use; V8's default is four times as much. */
const GARBAGE_PERCENT = 50;

/**
 * Nearly everything that a call allocates is soon garbage, and a busy daemon would hold 100 MB of it. Returns all V8
 * flags of this kind set so far.
 */
export function smallHeap(): readonly Flag[] {
  const flag = `--heap-growing-percent=${GARBAGE_PERCENT}`;
  // V8 ignores an unknown flag.
  setFlagsFromString(flag);
  const given = process.execArgv.filter((one) => one.startsWith('--max-semi-space-size='));
  return [flag, ...given].map((set) => ({ set, unset: set.replace(/=.*/, '=0') }));
}
