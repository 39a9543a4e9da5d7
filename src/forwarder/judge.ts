import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { homePaths } from '../home/paths.ts';
import { claimStart, startOfOthers } from '../home/start-mark.ts';
import { messageOf } from '../model/errors.ts';
import type { NativeAnswer } from '../model/native.ts';
import { type Exchange, exchange } from '../wire/exchange.ts';
import { SILENT_AGAIN_MS, SILENT_AT_FIRST_MS } from '../wire/limits.ts';
import { firstLineTimeoutMs, noteSilence } from '../wire/silence.ts';
import { socketFolderProblem, socketPath } from '../wire/socket-path.ts';

// Who judges a call: the daemon; where there is none, or it says nothing, the fallback. native/src/judge.rs does the same.

/** Judges without the daemon. Rejects where it cannot, or is told to stop. */
export type Fallback = (options: {
  readonly startsDaemon: boolean;
  readonly signal?: AbortSignal | undefined;
}) => Promise<NativeAnswer>;

interface Judging {
  readonly home: string;
  readonly id: string;
  /** The line for the daemon, which takes one that is old for given up: later it is sent with the time of then. */
  readonly line: (sentAt?: number) => Uint8Array;
  readonly fallback: Fallback;
}

const TRY_EVERY_MS = 10;

/** Rejects where nobody could judge it. */
export async function judge(call: Judging): Promise<NativeAnswer> {
  const { home } = call;
  const problem = socketFolderProblem(home);
  if (problem !== null) return judgeHere(call, false, problem);
  const asked = await askDaemon(call, call.line(), () => firstLineTimeoutMs(home));
  if (asked.answer) return asked.answer;
  if (asked.kind !== 'nobody') return judgeHere(call, false, asked.why);
  const start = claimStart(homePaths(home));
  const later = start.by === 'others' ? await awaitStart(call, start.leftMs) : null;
  return later?.answer ?? judgeHere(call, start.by === 'us', asked.why);
}

/** What the daemon that somebody else starts says as soon as it listens; null where that came to nothing. */
async function awaitStart(call: Judging, leftMs: number): Promise<Exchange | null> {
  const until = Date.now() + leftMs;
  while (Date.now() < until) {
    // Looked at before the socket: it is gone when the daemon listens.
    const isStarting = startOfOthers(homePaths(call.home))?.by === 'others';
    if (isStarting && !existsSync(socketPath(call.home))) {
      await pause(TRY_EVERY_MS);
      continue;
    }
    const asked = await askDaemon(call, call.line(Date.now()), () => SILENT_AT_FIRST_MS);
    if (asked.answer || asked.kind !== 'nobody' || !isStarting) return asked;
    await pause(TRY_EVERY_MS);
  }
  return null;
}

/** Asks the daemon. It may be hung, or the machine busy: past a while the fallback begins too, and the first answer counts. */
async function askDaemon(
  { home, id, fallback }: Judging,
  line: Uint8Array,
  timeoutMs: () => number,
): Promise<Exchange> {
  const held = new AbortController();
  const asking = exchange(socketPath(home), line, id, { onHeld: () => held.abort() });
  const first = await Promise.race([asking, untilSilent(timeoutMs, held.signal)]);
  if (first !== null) return first;
  const judged = fallback({ startsDaemon: false, signal: held.signal }).then(
    (answer): Exchange => {
      noteSilence(home);
      return { answer };
    },
    (error): Exchange => ({ answer: null, kind: 'failed', why: messageOf(error) }),
  );
  const faster = await Promise.race([asking, judged]);
  if (faster.answer === null) return eitherOf(await asking, await judged, held.signal.aborted);
  held.abort();
  return faster;
}

/** What is left when the first of both had no answer. One that was stopped for the daemon may be tried again. */
function eitherOf(daemons: Exchange, own: Exchange, wasHeld: boolean): Exchange {
  if (daemons.answer || wasHeld) return daemons;
  if (own.answer) return own;
  throw new Error(`${daemons.why}; and the fallback failed: ${own.why}`);
}

/** Resolves when the daemon has said nothing for too long; never, once it has the call. */
async function untilSilent(timeoutMs: () => number, held: AbortSignal): Promise<null> {
  try {
    await pause(SILENT_AGAIN_MS, null, { signal: held });
    await pause(timeoutMs() - SILENT_AGAIN_MS, null, { signal: held });
    return null;
  } catch {
    return new Promise(() => {});
  }
}

async function judgeHere(call: Judging, startsDaemon: boolean, why: string): Promise<NativeAnswer> {
  try {
    return await call.fallback({ startsDaemon });
  } catch (error) {
    // On a machine that is busy, the daemon may be there by the time that the fallback has given up.
    const asked = await exchange(socketPath(call.home), call.line(Date.now()), call.id);
    if (asked.answer) return asked.answer;
    throw new Error(`${why}; and the fallback failed: ${messageOf(error)}`, { cause: error });
  }
}
