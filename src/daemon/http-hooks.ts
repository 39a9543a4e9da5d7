import { type Context, Hono } from 'hono';
import { AGENTS } from '../agents/_registry.ts';
import type { Agent } from '../agents/agent.ts';
import { callerOf } from '../agents/caller.ts';
import { lostByScript, PROJECT_HEADER, type ScriptAge } from '../agents/kit/dispatcher.ts';
import { answerToFailure } from '../engine/handle.ts';
import type { Config } from '../home/config.ts';
import { HooklineError, messageOf } from '../model/errors.ts';
import type { FailureMode } from '../model/failure.ts';
import { isObject } from '../model/json.ts';
import type { Log } from '../model/log.ts';
import type { Call, NativeAnswer } from '../model/native.ts';
import { classify, describeProblem, readablePart } from '../wire/payload.ts';
import { newRequestId } from '../wire/request.ts';
import type { CallHandler } from './call-handler.ts';
import { agentOf } from './caller.ts';
import { type HookBody, readHookBody } from './http/hook-body.ts';
import type { Intake } from './socket/intake.ts';

interface HookParts {
  readonly hub: Pick<CallHandler, 'call' | 'intake'>;
  readonly config: Pick<Config, 'failure'>;
  readonly log: Log;
}

/** How long the scripts wait that post a wrapper to the address of an agent, and to the one for all. */
const SCRIPT_WAITS_MS = 5_000;
const DISPATCHER_WAITS_MS = 30_000;

/** Where dispatcher scripts post the calls of all agents. */
export const DISPATCHER_PATHS: Readonly<Record<ScriptAge, string>> = {
  older: '/hooks/execute',
  newer: '/api/hooks/execute',
};

/** Hooks over HTTP. */
export function hookRoutes(parts: HookParts): Hono {
  const hooks = new Hono();
  for (const age of ['older', 'newer'] as const)
    hooks.post(DISPATCHER_PATHS[age], (c) =>
      withPosted(c, parts.hub.intake, (posted) => dispatched(c, posted, age, parts)),
    );
  hooks.post('/hooks/:agent', (c) =>
    withPosted(c, parts.hub.intake, async ({ call, wrapped }) => {
      const agent = c.req.param('agent');
      const limit = wrapped ? { answerWithinMs: leftOf(SCRIPT_WAITS_MS, call) } : {};
      return c.json(httpBody(await judged({ ...call, ...limit, agent }, parts), AGENTS.get(agent)));
    }),
  );
  return hooks;
}

async function dispatched(c: Context, posted: Posted, age: ScriptAge, parts: HookParts): Promise<Response> {
  const source = posted.source ?? '';
  const agent = agentOf({
    source: posted.source,
    event: posted.call.event ?? eventIn(posted.call.payload),
  });
  if (!agent) return c.json(unknownSource(posted.source, parts.config.failure));
  const { dispatcher } = agent;
  const sent = withProject(posted.call.payload, c.req.header(PROJECT_HEADER));
  const call = {
    ...posted.call,
    payload: dispatcher?.payload?.(sent, source) ?? sent,
    agent: agent.id,
    answerWithinMs: leftOf(DISPATCHER_WAITS_MS, posted.call),
    ...(dispatcher ? { lost: lostByScript(dispatcher, { age, source }) } : {}),
  };
  const body = httpBody(await judged(call, parts), agent);
  return c.json(dispatcher?.answer?.(body, call, source) ?? body);
}

/** The project as the script knows it, unless the payload names one. */
function withProject(payload: unknown, project: string | undefined): unknown {
  return isObject(payload) && project !== undefined ? { project_id: project, ...payload } : payload;
}

/** What was posted, before it is known which agent it is about. */
interface Posted {
  readonly call: Omit<Call, 'agent'>;
  readonly source: string | null;
  readonly wrapped: boolean;
}

/** Reads what was posted, and has it answered. Until then its bytes count. */
async function withPosted(
  c: Context,
  intake: Intake,
  answer: (posted: Posted) => Promise<Response>,
): Promise<Response> {
  const receivedAt = Date.now();
  const length = c.req.header('content-length');
  const { load, ...read } = await readHookBody(
    c.req.raw.body,
    length === undefined ? null : Number(length),
    intake,
  );
  try {
    // The rest of it would be taken for the next request.
    if (!read.isComplete) c.header('connection', 'close');
    const { call, ...more } = postedIn(read, receivedAt);
    // Without its event, the call may be one that is guarded.
    if (!read.isComplete && (call.event ?? eventIn(call.payload)) === null)
      return c.json(refusal(`A part of this call could not be read: ${CUT_OFF}. Try again.`));
    return await answer({ ...more, call: { ...call, hold: () => load.park() } });
  } finally {
    load.end();
  }
}

const CUT_OFF = 'it took too long to arrive';

/** Its sender counts from when it began to send: a large body may have waited for room since. */
function leftOf(waitsMs: number, { receivedAt }: Pick<Call, 'receivedAt'>): number {
  return Math.max(0, waitsMs - (Date.now() - receivedAt));
}

function postedIn(
  { bytes, total, isComplete }: Pick<HookBody, 'bytes' | 'total' | 'isComplete'>,
  receivedAt: number,
): Posted {
  const { payload: body, problem } = isComplete
    ? classify(bytes)
    : { payload: readablePart(bytes), problem: CUT_OFF };
  const { event, payload, source, wrapped } = unwrap(body);
  const described = problem && describeProblem(problem, total);
  const call = { id: newRequestId(receivedAt), receivedAt, event, env: {}, payload, problem: described };
  return { call, source, wrapped };
}

/** A sender over HTTP has no rules to fall back on, so the failure mode decides for it. */
async function judged(call: Call, { hub, config: { failure }, log }: HookParts): Promise<NativeAnswer> {
  try {
    return await hub.call(call);
  } catch (error) {
    const agent = callerOf(AGENTS, call);
    if (failure === 'open' || !agent) throw error;
    log('error', messageOf(error), { requestId: call.id, agent: call.agent });
    return answerToFailure(call, agent, failure, messageOf(error));
  }
}

/** In words that every dispatcher script understands; under `failure: open` an error, of which they only tell. */
function unknownSource(source: string | null, failure: FailureMode): object {
  const error = new HooklineError(
    'AGENT_UNKNOWN',
    `No dispatcher script is known for an agent "${source}".`,
    {
      hint: `Sources of dispatcher scripts: ${sourcesKnown().join(', ')}. Agents without one post to /hooks/AGENT.`,
    },
  );
  if (failure === 'open') throw error;
  return refusal(`${error.message} Hookline is set to fail closed, so this is denied.`);
}

const sourcesKnown = (): readonly string[] =>
  [...AGENTS.values()].flatMap(({ dispatcher }) => dispatcher?.sources ?? []).filter(Boolean);

/** Where the agent or the event is not known. */
function refusal(reason: string): object {
  return { continue: false, decision: 'block', stopReason: reason, reason };
}

type Body = Readonly<Record<string, unknown>>;

/** There is no exit code over HTTP: what an agent has no words for goes out as it is on the socket. */
function httpBody(answer: NativeAnswer, agent: Agent | undefined): Body {
  switch (answer.action) {
    case 'json_output':
      return answer.stdout_json;
    case 'passthrough':
      // No decision for every client that calls hooks this way.
      return {};
    case 'block_with_stderr':
      return agent?.httpRefusal?.(answer.stderr) ?? { ...answer };
  }
}

interface Unwrapped {
  readonly event: string | null;
  readonly payload: unknown;
  readonly source: string | null;
  readonly wrapped: boolean;
}

/** The agent's own payload, or the wrapper that dispatcher scripts send around it. */
function unwrap(body: unknown): Unwrapped {
  if (!isObject(body) || !('hook_type' in body) || !('input_data' in body))
    return { event: null, payload: body, source: null, wrapped: false };
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { event: text(body.hook_type), payload: body.input_data, source: text(body.source), wrapped: true };
}

function eventIn(payload: unknown): string | null {
  const name = isObject(payload) ? payload.hook_event_name : null;
  return typeof name === 'string' ? name : null;
}
