import type { Agent, Encoded } from '../agents/agent.ts';
import { callerOf } from '../agents/caller.ts';
import type { Approver, Asking, Handler } from '../model/deciding.ts';
import { DecodeError, HooklineError } from '../model/errors.ts';
import { eventBase } from '../model/event-base.ts';
import { CALLS_AHEAD, type HookEvent, isToolEvent } from '../model/events.ts';
import { type FailureMode, isGuarded, responseToFailure, responseToUnread } from '../model/failure.ts';
import { merge } from '../model/merge.ts';
import type { Call, FileAppend, NativeAnswer } from '../model/native.ts';
import type { CallRecord, CallRecorder } from '../model/recording.ts';
import { context, type Degradation, type HookResponse } from '../model/responses.ts';
import { LONGEST_PATH } from '../platform/long-path.ts';
import { runIn } from '../wire/run-id.ts';
import { type Decided, decide } from './decide.ts';
import type { NewFiles } from './new-files.ts';
import { withSafeIds } from './safe-ids.ts';

export interface Identity {
  readonly machineId: string | null;
  readonly userId: string | null;
  projectOf(cwd: string): string;
  /** The branch that is checked out there now; null where that is none. */
  branchOf(cwd: string): string | null;
}

/** What `handle` works with. Nothing here knows how the call came or how the answer leaves. */
export interface Engine {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly handlers: readonly Handler[];
  /** Null if no person can be asked: in the fallback, in `try`. */
  readonly approver: Approver | null;
  readonly recorder: CallRecorder;
  readonly identity: Identity;
  readonly failure: FailureMode;
  readonly newFiles: NewFiles;
  /** A monotonic clock in ms. */
  readonly now: () => number;
}

export interface Handled {
  readonly answer: NativeAnswer;
  readonly appends: readonly FileAppend[];
  readonly record: CallRecord;
}

/** The one path: decode, decide, encode, record. When it returns, the call is on disk and may be answered. */
export async function handle(received: Call, engine: Engine): Promise<Handled> {
  const started = engine.now();
  const agent = callerOf(engine.agents, received);
  if (!agent) {
    throw new HooklineError('AGENT_UNKNOWN', `Unknown agent "${received.agent}".`, {
      hint: `Supported agents: ${[...engine.agents.keys()].join(', ')}.`,
    });
  }
  const unread = agent.unread?.(received.payload) ?? null;
  const call = unread === null ? received : { ...received, problem: unread };
  const event = engine.recorder.place(
    withSafeIds(engine.newFiles(identified(read(agent, call), engine.identity, runIn(call.env)))),
  );
  engine.approver?.noticed(event);
  const decided = await judge(event, agent, engine, {
    ...call,
    problem: call.problem ?? folderProblem(event.cwd),
  });
  const { encoded, response, delivered, deferred } = express(
    event,
    decided.response,
    agent,
    engine,
    call.env,
  );
  const record: CallRecord = {
    event,
    response,
    opinions: decided.opinions,
    degraded: withLost(encoded.degraded, call.lost?.(event.type, response)),
    answer: encoded.answer,
    latencyMs: engine.now() - started,
    delivered,
    deferred,
  };
  await engine.recorder.commit(record);
  return { answer: encoded.answer, appends: encoded.appends, record };
}

/** The answer to a call that could not be handled: silence, or a refusal where the user chose to fail closed. */
export function answerToFailure(call: Call, agent: Agent, mode: FailureMode, what: string): NativeAnswer {
  const event = read(agent, call);
  return agent.encode(event, responseToFailure(event.type, mode, what), call.env).answer;
}

/** A payload we cannot read is still an event: with the problem on record, and of unknown type if need be. */
function read(agent: Agent, call: Call): HookEvent {
  try {
    const event = agent.decode(call);
    return call.problem ? { ...event, metadata: { ...event.metadata, problem: call.problem } } : event;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return {
      ...eventBase({
        id: call.id,
        source: agent.id,
        nativeEvent: error.known?.nativeEvent ?? call.event ?? '',
        sessionId: error.known?.sessionId ?? '',
        cwd: error.known?.cwd ?? null,
        timestamp: call.receivedAt,
        native: call.payload,
      }),
      type: 'unknown',
      problem: call.problem ? `${error.message}: ${call.problem}` : error.message,
    };
  }
}

/** No process works in such a folder, and all that is looked for around it would be looked for along its whole path. */
function folderProblem(cwd: string | null): string | null {
  return cwd !== null && cwd.length > LONGEST_PATH ? `its cwd has ${cwd.length} characters` : null;
}

function identified(event: HookEvent, identity: Identity, run: string | null): HookEvent {
  const folder = event.cwd === null ? null : identity.projectOf(event.cwd);
  // The branch of a call is unknown later.
  const branch = event.cwd === null || !CALLS_AHEAD.has(event.type) ? null : identity.branchOf(event.cwd);
  return {
    ...event,
    ...(branch === null ? {} : { metadata: { ...event.metadata, branch } }),
    machineId: event.machineId ?? identity.machineId,
    userId: event.userId ?? identity.userId,
    projectId: event.projectId ?? folder,
    workflowId: event.workflowId ?? run,
    // A name from elsewhere must not switch off the rules of the folder.
    ...(event.projectId === null ? {} : { projectFolder: folder }),
  };
}

function judge(event: HookEvent, agent: Agent, engine: Engine, call: Call): Promise<Decided> | Decided {
  if (call.problem) return judgeUnread(event, agent, engine.failure, call.problem);
  if (event.type === 'unknown' && event.problem !== null) {
    const response = responseToFailure(event.type, engine.failure, event.problem);
    return { response, opinions: [{ kind: 'failure', by: 'decode', where: null, response }] };
  }
  const asking = askingOf(event, agent, call);
  return decide(event, agent, engine.handlers, engine, asking, engine.approver);
}

/** Asks no person about a part of a call: their answer may be wrong for the whole. */
function judgeUnread(event: HookEvent, agent: Agent, mode: FailureMode, problem: string): Decided {
  const guarded =
    isGuarded(event.type) || (event.type === 'unknown' && Object.hasOwn(agent.refusals, event.nativeEvent));
  const response = guarded ? responseToUnread(problem) : responseToFailure(event.type, mode, problem);
  return { response, opinions: [{ kind: 'failure', by: 'payload', where: null, response, problem }] };
}

function askingOf(event: HookEvent, agent: Agent, call: Call): Asking {
  const { questions } = agent;
  const tool = isToolEvent(event) && event.tool.kind === 'question' ? event.tool : null;
  return {
    timeoutMs: Math.min(agent.timeoutMs(event), call.answerWithinMs ?? Number.POSITIVE_INFINITY),
    hold: call.hold ?? (() => {}),
    ...(call.busy && { busy: call.busy }),
    ...(call.gone && { gone: call.gone }),
    questions: tool && questions ? questions.read(tool) : [],
    answered: (answers) => (tool && questions ? questions.answer(tool, answers) : {}),
  };
}

/** Each effect once: what the agent cannot do needs no second reason. */
function withLost(
  degraded: readonly Degradation[],
  lost: readonly Degradation[] = [],
): readonly Degradation[] {
  return [...degraded, ...lost.filter(({ effect }) => !degraded.some((one) => one.effect === effect))];
}

interface Expressed {
  readonly encoded: Encoded;
  readonly response: HookResponse;
  readonly delivered: readonly number[];
  readonly deferred: string | null;
}

/**
 * Encodes, together with context that earlier events of the session could not carry. When this event cannot carry
 * any either, its own context joins the queue.
 */
function express(
  event: HookEvent,
  response: HookResponse,
  agent: Agent,
  engine: Engine,
  env: Readonly<Record<string, string>>,
): Expressed {
  // Waiting context belongs to the main conversation; a subagent has its own.
  const waiting = event.agentId === null ? engine.recorder.waitingContext(event.source, event.sessionId) : [];
  if (waiting.length > 0) {
    const full = waiting.reduceRight((later, { text }) => merge(context(text), later), response);
    const encoded = agent.encode(event, full, env);
    if (!lostContext(encoded)) {
      return { encoded, response: full, delivered: waiting.map(({ id }) => id), deferred: null };
    }
  }
  const encoded = agent.encode(event, response, env);
  const deferred = lostContext(encoded) ? (response.context ?? null) : null;
  return { encoded, response, delivered: [], deferred };
}

function lostContext(encoded: Encoded): boolean {
  return encoded.degraded.some(({ effect }) => effect === 'context');
}
