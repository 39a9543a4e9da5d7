import { AGENTS } from '../agents/_registry.ts';
import { callerOf } from '../agents/caller.ts';
import type { ApprovalQueue } from '../approvals/queue.ts';
import { answerToFailure, type Engine, type Handled, handle } from '../engine/handle.ts';
import { createMemoryHandler } from '../history/memory/handler.ts';
import { createEngine } from '../home/engine.ts';
import type { OpenHome } from '../home/open.ts';
import type { Alerts } from '../model/alert.ts';
import { HooklineError, messageOf } from '../model/errors.ts';
import type { EventType } from '../model/events.ts';
import type { Log } from '../model/log.ts';
import type { Call, FileAppend, NativeAnswer } from '../model/native.ts';
import type { CallRecord } from '../model/recording.ts';
import { counted } from '../model/text.ts';
import { appendRegularFile } from '../platform/bounded-files.ts';
import { createFeed, type Feed } from '../platform/feed.ts';
import { findEvent } from '../store/read/queries.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { VERSION } from '../version.ts';
import { FIRST_REPLY_MS } from '../wire/limits.ts';
import { describeProblem } from '../wire/payload.ts';
import { isProbe, probeAnswer } from '../wire/probe.ts';
import type { ParsedRequest, Reply, Request } from '../wire/protocol.ts';
import { type Approvals, openApprovals } from './approvals.ts';
import type { Away } from './away.ts';
import { agentOf } from './caller.ts';
import { openHomeAway } from './open-away.ts';
import { createIntake, type Intake } from './socket/intake.ts';
import type { Caller } from './socket/socket.ts';
import { createUnlock, type Unlock } from './unlock.ts';
import { openUnrecordedQueue, type Unrecorded } from './unrecorded.ts';
import { type ConfirmWatch, createConfirmWatch } from './watch/confirm-watch.ts';
import { createGuardWatch, type GuardWatch } from './watch/guard-watch.ts';
import { type OwnFiles, watchOwnFiles } from './watch/own-files.ts';

/** The engine behind every transport of the daemon. */
export interface CallHandler {
  /** Every call once it is stored, as it was stored: what observers see has been redacted. */
  readonly feed: Feed<StoredEvent>;
  /** What calls of all transports together may have in memory. */
  readonly intake: Intake;
  /** Judges a call; what it returns has been recorded. */
  call(call: Call): Promise<NativeAnswer>;
  /** The same for a request line; failures become an error reply, on which the forwarder falls back. */
  request(request: Request, caller: Caller): Promise<Reply>;
  /** Reads a large request line in another thread; rejects when that fails. */
  readLarge(line: Uint8Array): Promise<ParsedRequest>;
  /** Who can be asked. */
  readonly approvals: Approvals;
  readonly unlock: Unlock;
  readonly away: Away;
  /** What the user should know of the home. */
  readonly alerts: Alerts;
  readonly unrecorded: Unrecorded;
  readonly ownFiles: OwnFiles;
  readonly confirmWatch: ConfirmWatch;
  readonly guardWatch: GuardWatch;
  /** Records something that was not a call, and tells observers of it. */
  note(record: CallRecord): void;
  /** Takes in the spool and tells observers of it. Says how many calls there were. */
  ingest(): number;
}

export function createCallHandler(home: OpenHome): CallHandler {
  const away = openHomeAway(home);
  const approvals = openApprovals(home, away);
  const unlock = createUnlock(Date.now);
  const unrecorded = openUnrecorded(home);
  const engine = openEngine(home, approvals, unlock, unrecorded);
  const { feed, tellObservers } = openFeed(home, approvals);

  async function judge(given: Call): Promise<Handled> {
    const handled = await handle(given, engine);
    const { appends, record } = handled;
    for (const one of appends) append(one, given.id, home.log);
    // Observers come after the answer.
    setImmediate(tellObservers, record.event.id, record.event.type);
    home.observing.note();
    return handled;
  }

  function ingest(): number {
    const ids = home.ingest();
    if (ids.length > 0) home.observing.note();
    for (const id of ids) tellObservers(id);
    return ids.length;
  }

  function note(record: CallRecord): void {
    home.recorder.commit({ ...record, event: home.recorder.place(record.event) });
    setImmediate(tellObservers, record.event.id, record.event.type);
  }

  const request: CallHandler['request'] = (given, caller) =>
    replyTo(given, caller, { judge, queue: approvals.queue }, home);
  return {
    feed,
    intake: createIntake(),
    approvals,
    unlock,
    away,
    alerts: home.alerts,
    unrecorded,
    ownFiles: watchOwnFiles(home.paths),
    confirmWatch: createConfirmWatch(home),
    guardWatch: createGuardWatch(home),
    call: async (given) => (await judge(given)).answer,
    request,
    readLarge: home.largeCalls.read,
    note,
    ingest,
  };
}

function openEngine(home: OpenHome, approvals: Approvals, unlock: Unlock, { commit }: Unrecorded): Engine {
  const { db, observing } = home;
  const memory = createMemoryHandler({
    db,
    settings: () => home.config.memory,
    catchUp: observing.catchUp,
    log: home.log,
  });
  return createEngine({
    ...home,
    recorder: { ...home.recorder, commit },
    approver: approvals.approver,
    unlocked: () => unlock.until() !== null,
    hookLog: (hook, text) => home.log('info', text, { hook }),
    memory: approvals.memory,
    handlers: [memory, approvals.gates.handler],
  });
}

const DISK_FULL = 'disk-full';

function openUnrecorded({ recorder, alerts }: OpenHome): Unrecorded {
  return openUnrecordedQueue({
    ...recorder,
    began: (why) =>
      alerts.raise({
        code: DISK_FULL,
        level: 'problem',
        message: `Can't write to the history (${why}). Until there is disk space, Hookline sends only denials; other calls get no decision. All are recorded later.`,
        fix: 'Free up disk space. `hookline doctor` shows how much is left.',
      }),
    ended: (count) => {
      alerts.clear(DISK_FULL);
      const message = `Disk space is available again. Recorded ${counted(count, 'call')}.`;
      alerts.raise({ code: 'disk-room', level: 'notice', message, fix: null });
    },
  });
}

function openFeed(
  { db, log }: OpenHome,
  { notifier }: Approvals,
): { readonly feed: Feed<StoredEvent>; tellObservers(id: string, type?: EventType): void } {
  const feed = createFeed<StoredEvent>();
  return {
    feed,
    /** Runs outside of any call, so it must catch its own errors. */
    tellObservers(id, type) {
      // It costs each call a read of the store, so only if there are observers.
      if (feed.size() === 0 && !notifier.wants(type)) return;
      try {
        const stored = findEvent(db, id);
        if (!stored) return;
        feed.publish(stored);
        notifier.event(stored);
      } catch (error) {
        log('error', `observers were not notified: ${messageOf(error)}`, { id });
      }
    },
  };
}

/** The call is on record and has its answer: a file that cannot be written must not cost the agent that too. */
function append({ path, text }: FileAppend, id: string, log: Log): void {
  try {
    appendRegularFile(path, text);
  } catch (error) {
    log('error', `can't write variables: ${messageOf(error)}`, { path, id });
  }
}

async function replyTo(
  { call: sent, problem, bytes, accepts, heldUntil }: Request,
  { hold, busy, gone, awaitDelivery }: Caller,
  { judge, queue }: { judge(call: Call): Promise<Handled>; queue: ApprovalQueue },
  { log, paths, config }: OpenHome,
): Promise<Reply> {
  const { id } = sent;
  if (isProbe(sent)) {
    const about = { by: 'daemon', pid: process.pid, version: VERSION, home: paths.root } as const;
    return { request_id: id, ts: Date.now(), payload: probeAnswer(about) };
  }
  const agent = sent.agent ?? agentOf({ source: null, event: sent.event })?.id ?? '';
  const { receivedAt, event, payload, env } = sent;
  const described = problem === null ? null : describeProblem(problem, bytes);
  const call = { id, receivedAt, event, payload, env, agent, problem: described, busy, gone };
  // A sender that cannot be asked to wait takes the first line for the answer, so no approval is created.
  const given: Call = accepts.hold ? { ...call, hold } : { ...call, answerWithinMs: 0 };
  // The sender has given up and judged the call itself: it comes through the spool.
  if (accepts.error && isLate(given.receivedAt, heldUntil)) {
    return { request_id: id, ts: Date.now(), error: { code: 'LATE', message: 'The call arrived too late.' } };
  }
  try {
    const { answer, record } = await judge(given);
    const reply = { request_id: id, ts: Date.now(), payload: answer };
    const card = accepts.confirm ? answeredIn(record) : null;
    if (card === null) return reply;
    awaitDelivery((isDelivered) => {
      try {
        queue.noteDelivery(card, isDelivered);
      } catch (error) {
        log('warning', `the delivery of an answer was not recorded: ${messageOf(error)}`, { requestId: id });
      }
    });
    return { ...reply, confirm: true };
  } catch (error) {
    const code = error instanceof HooklineError ? error.code : 'INTERNAL';
    const message = messageOf(error);
    log('error', message, { code, requestId: id, agent });
    const known = callerOf(AGENTS, given);
    if (!accepts.error && known) {
      return {
        request_id: id,
        ts: Date.now(),
        payload: answerToFailure(given, known, config.failure, message),
      };
    }
    return { request_id: id, ts: Date.now(), error: { code, message } };
  }
}

/** The approval that a person answered for a call. */
function answeredIn({ opinions }: CallRecord): string | null {
  const asked = opinions.find(({ kind, where }) => kind === 'approval' && where !== null);
  return asked === undefined || asked.response.decision === 'none' ? null : asked.where;
}

/** A time that is not a time in ms, as some senders write, says nothing. A sender that was told to wait did. */
function isLate(sentAt: number, heldUntil = 0): boolean {
  const now = Date.now();
  return sentAt > 1e12 && now - sentAt > FIRST_REPLY_MS && now > heldUntil;
}
