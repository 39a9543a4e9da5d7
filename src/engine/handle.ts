import type { Agent, Encoded, FileAppend, NativeAnswer, NativeCall } from '../agents/agent.ts';
import { DecodeError, HooklineError } from '../model/errors.ts';
import { type HookEvent, isToolEvent } from '../model/events.ts';
import { merge } from '../model/merge.ts';
import { context, type HookResponse } from '../model/responses.ts';
import { type Approver, type Asking, type Decided, decide, type Handler } from './decide.ts';
import { type FailureMode, responseToFailure } from './failure.ts';
import type { CallRecord, Recorder } from './record.ts';

/** A call and the agent that made it. */
export interface Call extends NativeCall {
  readonly agent: string;
  /** What whoever took the payload in found wrong with it, in words; it is then only the beginning of a text. */
  readonly problem?: string | null;
  /** Tells the other end that the answer takes this long, where there is a way. */
  readonly hold?: (ms: number) => void;
}

export interface Identity {
  readonly machineId: string | null;
  readonly userId: string | null;
  projectOf(cwd: string): string;
}

/** What `handle` works with. Nothing here knows how the call came or how the answer leaves. */
export interface Engine {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly handlers: readonly Handler[];
  /** Null where nobody can be asked: in the fallback, in `try`. */
  readonly approver: Approver | null;
  readonly recorder: Recorder;
  readonly identity: Identity;
  readonly failure: FailureMode;
  /** A monotonic clock in ms. */
  readonly now: () => number;
}

export interface Handled {
  readonly answer: NativeAnswer;
  readonly appends: readonly FileAppend[];
  readonly record: CallRecord;
}

/** The one path: decode, decide, encode, record. When it returns, the call is on disk and may be answered. */
export async function handle(call: Call, engine: Engine): Promise<Handled> {
  const started = engine.now();
  const agent = engine.agents.get(call.agent);
  if (!agent) {
    throw new HooklineError('AGENT_UNKNOWN', `There is no agent "${call.agent}".`, {
      hint: `Hookline knows: ${[...engine.agents.keys()].join(', ')}.`,
    });
  }
  const event = engine.recorder.place(identified(read(agent, call), engine.identity));
  engine.approver?.noticed(event);
  const decided = await judge(event, agent, engine, call);
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
    degraded: encoded.degraded,
    answer: encoded.answer,
    latencyMs: engine.now() - started,
    delivered,
    deferred,
  };
  engine.recorder.commit(record);
  return { answer: encoded.answer, appends: encoded.appends, record };
}

/** A payload we cannot read is still an event: of unknown type, with the problem on record. */
function read(agent: Agent, call: Call): HookEvent {
  try {
    return agent.decode(call);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return {
      type: 'unknown',
      problem: call.problem ? `${error.message}: ${call.problem}` : error.message,
      id: call.id,
      source: agent.id,
      nativeEvent: call.event ?? '',
      sessionId: '',
      timestamp: call.receivedAt,
      cwd: null,
      machineId: null,
      userId: null,
      projectId: null,
      workflowId: null,
      transcriptPath: null,
      permissionMode: null,
      agentId: null,
      sequence: 0,
      promptNumber: 0,
      toolNumber: 0,
      native: call.payload,
      metadata: {},
    };
  }
}

function identified(event: HookEvent, identity: Identity): HookEvent {
  return {
    ...event,
    machineId: event.machineId ?? identity.machineId,
    userId: event.userId ?? identity.userId,
    projectId: event.projectId ?? (event.cwd === null ? null : identity.projectOf(event.cwd)),
  };
}

function judge(event: HookEvent, agent: Agent, engine: Engine, call: Call): Promise<Decided> | Decided {
  if (event.type === 'unknown' && event.problem !== null) {
    const response = responseToFailure(event.type, engine.failure, event.problem);
    return { response, opinions: [{ kind: 'failure', by: 'decode', where: null, response }] };
  }
  const asking = askingOf(event, agent, call);
  return decide(event, agent, engine.handlers, engine.failure, asking, engine.approver);
}

function askingOf(event: HookEvent, agent: Agent, call: Call): Asking {
  const { questions } = agent;
  const tool = isToolEvent(event) && event.tool.kind === 'question' ? event.tool : null;
  return {
    patienceMs: agent.patienceMs(event),
    hold: call.hold ?? (() => {}),
    questions: tool && questions ? questions.read(tool) : [],
    answered: (answers) => (tool && questions ? questions.answer(tool, answers) : {}),
  };
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
