import * as v from 'valibot';
import type { NativeAnswer } from '../agents/agent.ts';
import type { Call } from '../engine/handle.ts';

/** The payload of a request is at most 16 MiB; the rest of the line is variables and names. */
export const MAX_LINE_BYTES: number = 24 << 20;

/** How long a forwarder waits for the first line of an answer before it judges the call itself. */
export const FIRST_REPLY_MS = 5_000;

/** A request line, read. */
export interface Request {
  readonly call: Call;
  /** What the forwarder found wrong with the payload, which is then the beginning of a text. */
  readonly problem: string | null;
  /** How long that text was as a whole. */
  readonly bytes: number | null;
}

export interface AnswerReply {
  readonly request_id: string;
  readonly ts: number;
  readonly payload: NativeAnswer;
}

/** The daemon waits for a person: the forwarder is to wait this much longer, from now. */
export interface HoldReply {
  readonly request_id: string;
  readonly hold_ms: number;
}

/** No answer will come; the forwarder judges the call itself. */
export interface ErrorReply {
  /** null when the line was too broken to tell. */
  readonly request_id: string | null;
  readonly ts: number;
  readonly error: { readonly code: string; readonly message: string };
}

/** A reply line. */
export type Reply = AnswerReply | HoldReply | ErrorReply;

export type ParsedRequest =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly requestId: string | null; readonly message: string };

const envelope = v.looseObject({
  request_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
  ts: v.pipe(v.number(), v.finite()),
  agent: v.string(),
  event: v.optional(v.string()),
  // Seed 003's name for the event. Its session_id is allowed too, but the payload has the same.
  hook_event_name: v.optional(v.string()),
  env: v.optional(v.record(v.string(), v.string()), {}),
  payload: v.unknown(),
  problem: v.optional(v.string()),
  bytes: v.optional(v.number()),
});

/** Reads a request line. A line that is none is a value: whoever sent it gets told. */
export function parseRequest(line: string): ParsedRequest {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { ok: false, requestId: null, message: 'The line is not JSON.' };
  }
  const parsed = v.safeParse(envelope, json);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const message = `${v.getDotPath(issue) ?? 'line'}: ${issue.message}`;
    return { ok: false, requestId: requestIdOf(json), message };
  }
  const { request_id, ts, agent, event, hook_event_name, env, payload, problem, bytes } = parsed.output;
  return {
    ok: true,
    request: {
      call: {
        id: request_id,
        receivedAt: ts,
        agent,
        event: event ?? hook_event_name ?? null,
        payload,
        env,
      },
      problem: problem ?? null,
      bytes: bytes ?? null,
    },
  };
}

function requestIdOf(json: unknown): string | null {
  const found = v.safeParse(v.looseObject({ request_id: v.string() }), json);
  return found.success ? found.output.request_id : null;
}
