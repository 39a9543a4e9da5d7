import * as v from 'valibot';
import { isObject } from '../model/json.ts';
import type { Call, NativeAnswer } from '../model/native.ts';
import { isTooDeep } from './json-scan.ts';
import { MAX_DEPTH, MAX_REQUEST_ID_CHARS } from './limits.ts';
import { outlineOf } from './outline.ts';
import type { PayloadProblem } from './payload.ts';

/** A request line, read. */
export interface Request {
  /** Without an agent where the sender names none. */
  readonly call: Omit<Call, 'agent'> & { readonly agent: string | null };
  /** What is wrong with the payload, which is then what could be found of it, or the beginning of a text. */
  readonly problem: string | null;
  /** How long it was as a whole. */
  readonly bytes: number | null;
  readonly accepts: Accepts;
  /** Until when the sender was told to wait while the line came in, in ms since the epoch. */
  readonly heldUntil?: number;
}

interface AnswerReply {
  readonly request_id: string;
  readonly ts: number;
  readonly payload: NativeAnswer;
  /** A person gave it: the forwarder says that it arrived. */
  readonly confirm?: true;
}

/** The daemon waits for a person: the forwarder is to wait this much longer, from now. */
interface HoldReply {
  readonly request_id: string;
  readonly hold_ms: number;
}

/** No answer will come; the forwarder judges the call itself. */
interface ErrorReply {
  /** null when the line was too broken to tell. */
  readonly request_id: string | null;
  readonly ts: number;
  readonly error: { readonly code: string; readonly message: string };
}

/** What the sender understands besides an answer. */
export interface Accepts {
  /** That a person is asked, or that the daemon is busy. */
  readonly hold: boolean;
  /** Only the latter: it cannot wait for a person. */
  readonly busy: boolean;
  /** That it has to judge by itself. */
  readonly error: boolean;
  /** It says that an answer arrived, where it is asked to. */
  readonly confirm: boolean;
}

/** A reply line. */
export type Reply = AnswerReply | HoldReply | ErrorReply;

export type ParsedRequest =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly requestId: string | null; readonly message: string };

const envelope = v.looseObject({
  request_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_REQUEST_ID_CHARS)),
  ts: v.pipe(v.number(), v.finite()),
  // Forwarders of other systems name no agent: they were written for one.
  agent: v.optional(v.string()),
  event: v.optional(v.string()),
  // What those forwarders call the event. They may send session_id beside it, which the payload has as well.
  hook_event_name: v.optional(v.string()),
  env: v.optional(v.record(v.string(), v.string()), {}),
  payload: v.unknown(),
  problem: v.optional(v.string()),
  bytes: v.optional(v.number()),
  accepts: v.optional(v.array(v.string())),
});

type Envelope = v.InferOutput<typeof envelope>;

/**
 * Whether the schema would take it as it is. Every call comes through here, and nearly all are fine: the schema is asked
 * about the others, and says what is wrong with them.
 */
function isEnvelope(json: unknown): json is Envelope {
  if (!isObject(json)) return false;
  const { request_id, ts, agent, event, hook_event_name, env, problem, bytes, accepts } = json;
  return (
    typeof request_id === 'string' &&
    request_id.length > 0 &&
    request_id.length <= MAX_REQUEST_ID_CHARS &&
    Number.isFinite(ts) &&
    [agent, event, hook_event_name, problem].every(isTextOrAbsent) &&
    isPlainEnv(env) &&
    'payload' in json &&
    (bytes === undefined || typeof bytes === 'number') &&
    (accepts === undefined || (Array.isArray(accepts) && accepts.every((one) => typeof one === 'string')))
  );
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** The schema leaves out names that an object has by itself. */
const OWN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

function isPlainEnv(env: unknown): boolean {
  if (!isObject(env)) return false;
  return Object.entries(env).every(([name, value]) => typeof value === 'string' && !OWN_NAMES.has(name));
}

/** Reads a request line. An invalid line is a value: its sender gets an error. */
export function parseRequest(line: string): ParsedRequest {
  const { json, problem: found } = readLine(line);
  if (json === undefined) return { ok: false, requestId: null, message: 'The line is not JSON.' };
  const parsed = isEnvelope(json) ? { success: true as const, output: json } : v.safeParse(envelope, json);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const message = `${v.getDotPath(issue) ?? 'line'}: ${issue.message}`;
    return { ok: false, requestId: requestIdOf(json), message };
  }
  const { request_id, ts, agent, event, hook_event_name, env, payload, problem, bytes, accepts } =
    parsed.output;
  if (agent === undefined && hook_event_name === undefined) {
    const message = 'agent: Invalid key: Expected "agent", or "hook_event_name" to tell the agent by';
    return { ok: false, requestId: request_id, message };
  }
  // Ours named the agent, and understood both, before they said so.
  const accepted = accepts ?? (agent === undefined ? [] : ['hold_ms', 'error']);
  return {
    ok: true,
    request: {
      call: {
        id: request_id,
        receivedAt: ts,
        agent: agent ?? null,
        event: event ?? hook_event_name ?? null,
        payload,
        env,
      },
      problem: found ?? problem ?? null,
      bytes: bytes ?? (found === null ? null : line.length),
      accepts: {
        hold: accepted.includes('hold_ms'),
        busy: accepted.includes('busy'),
        error: accepted.includes('error'),
        confirm: accepted.includes('confirm'),
      },
    },
  };
}

/** The id of the request whose answer a line confirms; null for any other line. */
export function confirmedBy(line: Uint8Array): string | null {
  if (line.length > MAX_CONFIRM_BYTES) return null;
  const { json } = readLine(Buffer.from(line).toString('utf8'));
  return isObject(json) && json.got === true ? requestIdOf(json) : null;
}

/** An id, each sign of it escaped. */
const MAX_CONFIRM_BYTES = 100 + 6 * MAX_REQUEST_ID_CHARS;

/** Undefined for a line that is not JSON. Not every sender looks at the depth, and to parse great depths takes seconds. */
function readLine(line: string): { readonly json: unknown; readonly problem: PayloadProblem | null } {
  // The payload is one level below the line itself, and what we want to know is up to two below the payload.
  if (isTooDeep(line, MAX_DEPTH + 1)) {
    return { json: outlineOf(Buffer.from(line), 3) ?? undefined, problem: 'too-deep' };
  }
  try {
    return { json: JSON.parse(line), problem: null };
  } catch {
    return { json: undefined, problem: null };
  }
}

function requestIdOf(json: unknown): string | null {
  const found = v.safeParse(v.looseObject({ request_id: v.string() }), json);
  return found.success ? found.output.request_id : null;
}
