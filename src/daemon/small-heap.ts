import { setFlagsFromString } from 'node:v8';

/** How much garbage may gather before V8 collects it, as a part of what is in use; left alone it takes four times that. */
const GARBAGE_PERCENT = 50;

/** Nearly all that a call leaves behind is garbage a moment later: without this a busy daemon holds 100 MB of it. */
export function keepHeapSmall(): void {
  // A V8 that does not know the flag ignores it.
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
}
