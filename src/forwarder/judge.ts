import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { claimStart, isLeftByUs, otherStart } from '../home/daemon/start-mark.ts';
import { homePaths } from '../home/paths.ts';
import { messageOf } from '../model/errors.ts';
import type { NativeAnswer } from '../model/native.ts';
import type { Exchange } from '../wire/exchange.ts';
import {
  FIRST_REPLY_MS,
  MAX_HOLD_MS,
  SILENT_AT_FIRST_MS,
  START_WAIT_MS,
  TRY_EVERY_MS,
} from '../wire/limits.ts';
import { firstLineTimeoutMs, noteSilence } from '../wire/silence.ts';
import { socketFolderProblem, socketPath } from '../wire/socket-path.ts';
import { askDaemonOf } from './ask-daemon.ts';
import { createParallelFallback, type Fallback, whenSilent } from './parallel-fallback.ts';

// Who judges a call: the daemon; where there is none, or it says nothing, the fallback. native/src/judge.rs does the same.

interface Judging {
  readonly home: string;
  readonly id: string;
  /** The line for the daemon, which takes one that is old for given up: later it is sent with the time of then. */
  readonly line: (sentAt?: number) => Uint8Array;
  readonly fallback: Fallback;
  /** Only that, and does not wait until it listens. */
  readonly startDaemon: () => Promise<void>;
}

/** What came of asking, and when the daemon first said that it has the call, if it did. */
type Asked = Exchange & { readonly heldAt: number | null };
type Unanswered = Asked & { readonly answer: null };
type Ask<E extends Exchange> = (call: Judging) => Promise<E>;

/** Rejects if neither the daemon nor the fallback could judge it. */
export async function judge(call: Judging): Promise<NativeAnswer> {
  const problem = socketFolderProblem(call.home);
  if (problem !== null) return judgeHere(call, false, problem);
  const first = await askDaemon(call, call.line());
  if (first.answer) return first.answer;
  if (first.kind !== 'failed' || first.heldAt !== null) return withoutAnswer(call, first);
  // All whose daemon was killed would otherwise judge at once, beside the one that starts.
  const second = await askDaemon(call, call.line(Date.now()));
  return second.answer ?? withoutAnswer(call, second);
}

/** Where there is no daemon, it waits for one that others start. */
async function withoutAnswer(call: Judging, asked: Unanswered): Promise<NativeAnswer> {
  if (asked.kind !== 'absent') return withoutDaemon(call, false, asked);
  const start = claimStart(homePaths(call.home));
  const later = start.by === 'others' ? await awaitStart(call, start.leftMs, askAtFirst) : null;
  return later?.answer ?? withoutDaemon(call, start.by === 'us', later ?? asked);
}

async function withoutDaemon(call: Judging, startsDaemon: boolean, asked: Unanswered): Promise<NativeAnswer> {
  const isTaken = asked.kind === 'failed' && asked.heldAt !== null;
  return (isTaken ? await regain(call) : null) ?? judgeHere(call, startsDaemon, asked.why);
}

/**
 * A person may have been asked: whichever daemon was killed, the next one has the approval, and only it has the answer. All of them
 * share the time of one start; while one has the call, it does not count.
 */
async function regain(call: Judging): Promise<NativeAnswer | null> {
  let leftMs = START_WAIT_MS;
  while (leftMs > 0) {
    const broke = Date.now();
    const until = broke + leftMs;
    const asked = await reconnect(call, askUntil(until), until);
    if (asked === null || asked.answer !== null) return asked?.answer ?? null;
    if (asked.kind !== 'failed') return null;
    // The daemon that ends may have taken the connection along.
    if (asked.heldAt === null) await pause(TRY_EVERY_MS);
    leftMs -= (asked.heldAt ?? Date.now()) - broke;
  }
  return null;
}

/** Asks the daemon that listens, or the one that is started for it until then; null where there is none. */
async function reconnect<E extends Exchange>(
  call: Judging,
  ask: Ask<E>,
  until = Date.now() + START_WAIT_MS,
): Promise<E | null> {
  const asked = await ask(call);
  if (asked.answer || asked.kind !== 'absent') return asked;
  const paths = homePaths(call.home);
  const start = claimStart(paths);
  if (start.by === 'us') await call.startDaemon();
  if (start.by === 'none' || isLeftByUs(paths)) return null;
  const leftMs = until - Date.now();
  return awaitStart(call, start.by === 'us' ? leftMs : Math.min(leftMs, start.leftMs), ask);
}

/** What the daemon that is being started says as soon as it listens; null where that came to nothing. */
async function awaitStart<E extends Exchange>(call: Judging, leftMs: number, ask: Ask<E>): Promise<E | null> {
  const until = Date.now() + leftMs;
  while (Date.now() < until) {
    // Looked at before the socket: it is gone when the daemon listens.
    const isStarting = otherStart(homePaths(call.home))?.by === 'others';
    if (isStarting && !existsSync(socketPath(call.home))) {
      await pause(TRY_EVERY_MS);
      continue;
    }
    const asked = await ask(call);
    if (asked.answer || asked.kind !== 'absent' || !isStarting) return asked;
    await pause(TRY_EVERY_MS);
  }
  return null;
}

/** Many ask a daemon that has just begun to listen. */
function askAtFirst(call: Judging): Promise<Asked> {
  return askDaemon(call, call.line(Date.now()), () => SILENT_AT_FIRST_MS);
}

/** Only the daemon has the answer of a person: one that has just begun to listen gets more time. */
function askUntil(until: number): Ask<Asked> {
  return (call) => askDaemon(call, call.line(Date.now()), () => firstWordWithin(until, Date.now()));
}

/** A daemon that dies again and again must not hold up a call for as long as each start may take: all of them share the time of one. */
export function firstWordWithin(until: number, now: number): number {
  return Math.max(until - now, SILENT_AT_FIRST_MS);
}

/** Without the fallback beside it. */
function askOnly({ home, id, line }: Judging): Promise<Exchange> {
  return askDaemonOf({ home, id, line: line(Date.now()) });
}

/**
 * Asks the daemon. It may be hung, or the machine busy: past a while, and past the time that it named, the fallback begins too, and
 * the first answer counts.
 */
async function askDaemon(
  call: Judging,
  line: Uint8Array,
  timeoutMs = () => firstLineTimeoutMs(call.home),
): Promise<Asked> {
  const parallel = createParallelFallback(call.fallback);
  const listening = new AbortController();
  const heard = whenSilent(timeoutMs, parallel.begin);
  let heldAt: number | null = null;
  let late: NodeJS.Timeout | undefined;
  const listen = (sent: Uint8Array) =>
    askDaemonOf({
      ...call,
      line: sent,
      // As long as the fallback judges: one that has opened an approval by the time that it wakes up is still listened to.
      firstReplyMs: MAX_HOLD_MS,
      signal: listening.signal,
      onHeld() {
        heldAt ??= Date.now();
        heard();
        clearTimeout(late);
        parallel.stop();
      },
      onOverdue: () => (parallel.judged() ? listening.abort() : parallel.begin()),
    });
  const asked = (result: Exchange): Asked => ({ ...result, heldAt });

  let asking = listen(line);
  let first = await Promise.race([asking, parallel.end]);
  if (first.answer === null && parallel.isAtWork()) {
    asking = listen(call.line(Date.now()));
    first = await Promise.race([asking, parallel.end]);
  }
  if (first.answer === null && parallel.isAtWork()) first = await parallel.end;
  const own = parallel.judged();
  if (own?.answer) noteSilence(call.home);
  if (first.answer !== null || own === null) {
    heard();
    // Not if the daemon has answered: nothing listens for it any more, and to abort takes a while.
    if (own !== null) listening.abort();
    parallel.stop();
    return asked(first);
  }
  late = setTimeout(() => listening.abort(), FIRST_REPLY_MS);
  const last = await asking;
  clearTimeout(late);
  return asked(last.answer ? last : { answer: await askAgain(call, last.why, own.answer ? '' : own.why) });
}

async function judgeHere(call: Judging, startsDaemon: boolean, why: string): Promise<NativeAnswer> {
  try {
    return await call.fallback({ startsDaemon });
  } catch (error) {
    return askAgain(call, why, messageOf(error));
  }
}

/** On a machine that is busy, the daemon may be there by the time that the fallback has given up. */
async function askAgain(call: Judging, why: string, also: string): Promise<NativeAnswer> {
  const asked = await reconnect(call, askOnly);
  if (asked?.answer) return asked.answer;
  throw new Error(`${why}; and the fallback failed: ${also}`);
}
