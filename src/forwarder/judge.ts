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

// Decides who evaluates a call: the daemon, or the fallback if there is none or it is silent. native/src/judge.rs
// does the same.

interface Judging {
  readonly home: string;
  readonly id: string;
  /** The line for the daemon. A daemon ignores an old line, so a later one gets a new time. */
  readonly line: (sentAt?: number) => Uint8Array;
  readonly fallback: Fallback;
  /** Only starts it, without waiting until it listens. */
  readonly startDaemon: () => Promise<void>;
}

/** The result of a request, and when the daemon confirmed that it has the call, if it did. */
type Asked = Exchange & { readonly heldAt: number | null };
type Unanswered = Asked & { readonly answer: null };
type Ask<E extends Exchange> = (call: Judging) => Promise<E>;

/** Rejects if neither the daemon nor the fallback could evaluate it. */
export async function judge(call: Judging): Promise<NativeAnswer> {
  const problem = socketFolderProblem(call.home);
  if (problem !== null) return judgeHere(call, false, problem);
  const first = await askDaemon(call, call.line());
  if (first.answer) return first.answer;
  if (first.kind !== 'failed' || first.heldAt !== null) return withoutAnswer(call, first);
  // Otherwise all callers of a killed daemon would run their fallbacks at once, next to the one that starts.
  const second = await askDaemon(call, call.line(Date.now()));
  return second.answer ?? withoutAnswer(call, second);
}

/** Without a daemon, waits for one that others start. */
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
 * A person may have been asked. Whichever daemon was killed, the next one has the approval, and only it has the
 * answer. All starts share the time limit of one, not counting the time in which a daemon has the call.
 */
async function regain(call: Judging): Promise<NativeAnswer | null> {
  let leftMs = START_WAIT_MS;
  while (leftMs > 0) {
    const broke = Date.now();
    const until = broke + leftMs;
    const asked = await reconnect(call, askUntil(until), until);
    if (asked === null || asked.answer !== null) return asked?.answer ?? null;
    if (asked.kind !== 'failed') return null;
    // The connection may have closed with an ending daemon.
    if (asked.heldAt === null) await pause(TRY_EVERY_MS);
    leftMs -= (asked.heldAt ?? Date.now()) - broke;
  }
  return null;
}

/** Asks the current daemon, or the one started in the meantime; null if there is none. */
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

/** The first reply of the daemon being started; null if that failed. */
async function awaitStart<E extends Exchange>(call: Judging, leftMs: number, ask: Ask<E>): Promise<E | null> {
  const until = Date.now() + leftMs;
  while (Date.now() < until) {
    // Checked before the socket, because the mark is deleted once the daemon listens.
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

/** Many callers ask a daemon that has just started to listen. */
function askAtFirst(call: Judging): Promise<Asked> {
  return askDaemon(call, call.line(Date.now()), () => SILENT_AT_FIRST_MS);
}

/** Only the daemon has a person's answer, so one that has just started gets more time. */
function askUntil(until: number): Ask<Asked> {
  return (call) => askDaemon(call, call.line(Date.now()), () => firstWordWithin(until, Date.now()));
}

/** A daemon that keeps dying must not delay a call by the time limit of each start, so all starts share one limit. */
export function firstWordWithin(until: number, now: number): number {
  return Math.max(until - now, SILENT_AT_FIRST_MS);
}

/** Without the fallback in parallel. */
function askOnly({ home, id, line }: Judging): Promise<Exchange> {
  return askDaemonOf({ home, id, line: line(Date.now()) });
}

/**
 * Asks the daemon. It may hang, or the machine may be busy: after a while, and after the time that it announced, the
 * fallback starts too, and the first answer counts.
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
      // As long as the fallback runs: the daemon may wake up and have opened an approval.
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
    // Skipped if the daemon has answered: nothing listens any more, and aborting takes a while.
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

/** On a busy machine, the daemon may be available by the time the fallback gives up. */
async function askAgain(call: Judging, why: string, also: string): Promise<NativeAnswer> {
  const asked = await reconnect(call, askOnly);
  if (asked?.answer) return asked.answer;
  throw new Error(`${why}; and the fallback failed: ${also}`);
}
