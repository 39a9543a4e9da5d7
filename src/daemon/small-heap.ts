import { setFlagsFromString } from 'node:v8';
import type { Flag } from '../platform/code-cache.ts';

/** How much garbage may gather before V8 collects it, as a part of what is in use; left alone it takes four times that. */
const GARBAGE_PERCENT = 50;

/**
 * Nearly all that a call leaves behind is garbage a moment later: without this a busy daemon holds 100 MB of it. Gives all
 * flags of this kind that it has by now.
 */
export function smallHeap(): readonly Flag[] {
  const flag = `--heap-growing-percent=${GARBAGE_PERCENT}`;
  // A V8 that does not know the flag ignores it.
  setFlagsFromString(flag);
  const given = process.execArgv.filter((one) => one.startsWith('--max-semi-space-size='));
  return [flag, ...given].map((set) => ({ set, unset: set.replace(/=.*/, '=0') }));
}
