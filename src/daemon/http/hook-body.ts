import { MAX_STDIN_BYTES } from '../../wire/limits.ts';
import type { Gate, Intake, Load } from '../socket/intake.ts';

/** The body of a hook request. The receiver ends its load. */
export interface HookBody {
  readonly bytes: Buffer;
  /** Number of bytes, including those that weren't kept. */
  readonly total: number;
  /** False if the sender took too long or there was no room, so only a part was read. */
  readonly isComplete: boolean;
  readonly load: Load;
}

/** A gate that pauses a reader. */
interface Barrier extends Gate {
  /** Resolves when more may be read. */
  opened(): Promise<void>;
  /** Resolves with null once nothing more is read. */
  readonly turnedAway: Promise<null>;
}

/**
 * Reads a body of any size to its end, as far as there is room: rejecting a call for its size would leave it
 * unchecked. While the intake is full nothing is read, so the rest stays with the sender.
 * @param length as its sender states it
 */
export async function readHookBody(
  body: ReadableStream<Uint8Array> | null,
  length: number | null,
  intake: Intake,
): Promise<HookBody> {
  const barrier = createBarrier();
  const load = intake.begin(barrier);
  const reader = body?.getReader();
  const kept: Uint8Array[] = [];
  let total = 0;
  const readMore = async () => {
    await barrier.opened();
    return reader?.read();
  };
  try {
    for (;;) {
      const next = await Promise.race([readMore(), barrier.turnedAway]);
      if (next === null) return { bytes: Buffer.concat(kept), total, isComplete: false, load };
      if (next?.value === undefined) break;
      const room = MAX_STDIN_BYTES - total;
      if (room > 0) kept.push(next.value.subarray(0, room));
      total += next.value.length;
      // A complete body has nothing to wait for.
      if (total !== length) load.grow(Math.min(total, MAX_STDIN_BYTES));
    }
  } catch (error) {
    load.end();
    throw error;
  }
  const bytes = Buffer.concat(kept);
  load.complete(bytes.length);
  return { bytes, total, isComplete: true, load };
}

function createBarrier(): Barrier {
  let open = () => {};
  let opened = Promise.resolve();
  let leave = () => {};
  const turnedAway = new Promise<null>((resolve) => {
    leave = () => resolve(null);
  });
  return {
    opened: () => opened,
    turnedAway,
    pause() {
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
    resume: () => open(),
    turnAway: () => leave(),
  };
}
