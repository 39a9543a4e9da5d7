import * as v from 'valibot';
import { isObject } from '../model/json.ts';
import type { Call, NativeAnswer } from '../model/native.ts';
import { isTooDeep } from './json-scan.ts';
import { MAX_DEPTH, MAX_REQUEST_ID_CHARS } from './limits.ts';
import { outlineOf } from './outline.ts';
import type { PayloadProblem } from './payload.ts';

/** A parsed request line. */
export interface Request {
  /** Without an agent if the sender names none. */
  readonly call: Omit<Call, 'agent'> & { readonly agent: string | null };
  /** The problem with the payload, which is then an outline or the beginning of a text. */
  readonly problem: string | null;
  /** Its full length. */
  readonly bytes: number | null;
  readonly accepts: Accepts;
  /** How long the sender was told to wait while the line came in, in ms since the epoch. */
  readonly heldUntil?: number;
}

interface AnswerReply {
  readonly request_id: string;
  readonly ts: number;
  readonly payload: NativeAnswer;
  /** A person answered, so the forwarder confirms that it arrived. */
  readonly confirm?: true;
}

/** The daemon waits for a person: the forwarder should wait this much longer, from now. */
interface HoldReply {
  readonly request_id: string;
  readonly hold_ms: number;
}

/** No answer will come; the forwarder evaluates the call itself. */
interface ErrorReply {
  /** null if the line was too broken to tell. */
  readonly request_id: string | null;
  readonly ts: number;
  readonly error: { readonly code: string; readonly message: string };
}

/** Replies besides an answer that the sender understands. */
export interface Accepts {
  /** That a person is asked, or the daemon is busy. */
  readonly hold: boolean;
  /** Only that the daemon is busy: it can't wait for a person. */
  readonly busy: boolean;
  /** That it has to evaluate the call itself. */
  readonly error: boolean;
  /** It confirms an answer on request. */
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
  // Forwarders of other tools name no agent, because they were written for one.
  agent: v.optional(v.string()),
  event: v.optional(v.string()),
  // The event name from those forwarders. They may send session_id too, which the payload also contains.
  hook_event_name: v.optional(v.string()),
  env: v.optional(v.record(v.string(), v.string()), {}),
  payload: v.unknown(),
  problem: v.optional(v.string()),
  bytes: v.optional(v.number()),
  accepts: v.optional(v.array(v.string())),
});

type Envelope = v.InferOutput<typeof envelope>;

/**
 * True if the schema would accept it unchanged. Nearly every call is valid, so the schema runs only for the others,
 * to report what is wrong.
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

/** The schema omits names that every object has. */
const OWN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

function isPlainEnv(env: unknown): boolean {
  if (!isObject(env)) return false;
  return Object.entries(env).every(([name, value]) => typeof value === 'string' && !OWN_NAMES.has(name));
}

/** Parses a request line. An invalid line is a value: its sender gets an error. */
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
  // Our forwarders named the agent, and understood both replies before they declared it.
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

/** The ID of the request whose answer a line confirms; null for any other line. */
export function confirmedBy(line: Uint8Array): string | null {
  if (line.length > MAX_CONFIRM_BYTES) return null;
  const { json } = readLine(Buffer.from(line).toString('utf8'));
  return isObject(json) && json.got === true ? requestIdOf(json) : null;
}

/** An ID with every character escaped. */
const MAX_CONFIRM_BYTES = 100 + 6 * MAX_REQUEST_ID_CHARS;

/** Undefined for a line that isn't JSON. Not every sender checks the depth, and parsing a great depth takes seconds. */
function readLine(line: string): { readonly json: unknown; readonly problem: PayloadProblem | null } {
  // The payload is one level below the line, and the fields that matter are up to two levels below the payload.
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
