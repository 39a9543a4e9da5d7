import { isUtf8 } from 'node:buffer';
import { isObject, parseJson } from '../model/json.ts';
import type { NativeAnswer } from '../model/native.ts';
import { MAX_HOLD_MS } from './limits.ts';

/** The meaning of a daemon's line for the waiting request. */
type ReadReply =
  | { readonly kind: 'answer'; readonly answer: NativeAnswer; readonly confirm?: true }
  | { readonly kind: 'hold'; readonly ms: number }
  /** A line for another request. */
  | { readonly kind: 'other' }
  /** There will be no answer. */
  | { readonly kind: 'failed'; readonly why: string };

const MALFORMED: ReadReply = { kind: 'failed', why: 'the daemon sent a line that is not a reply' };

/** Parses a reply line by hand, because a schema library would take longer to load than everything else here. */
export function readReply(line: Uint8Array, requestId: string): ReadReply {
  const reply = parseObject(line);
  if (typeof reply?.request_id !== 'string') return MALFORMED;
  if (reply.request_id !== requestId) return { kind: 'other' };
  if ('error' in reply) {
    const message = isObject(reply.error) ? reply.error.message : '';
    return { kind: 'failed', why: `the daemon reported an error: ${message}` };
  }
  if ('hold_ms' in reply) {
    const ms = reply.hold_ms;
    return typeof ms === 'number' && ms >= 0 ? { kind: 'hold', ms: Math.min(ms, MAX_HOLD_MS) } : MALFORMED;
  }
  const answer = isObject(reply.payload) ? readAnswer(reply.payload) : null;
  return answer ? { kind: 'answer', answer, ...(reply.confirm === true && { confirm: true }) } : MALFORMED;
}

/** The answer in an object; null if there is none. */
export function readAnswer(payload: Record<string, unknown>): NativeAnswer | null {
  const { action, stdout_json, stderr } = payload;
  if (action === 'passthrough') return { action };
  if (action === 'json_output' && isObject(stdout_json)) return { action, stdout_json };
  if (action === 'block_with_stderr' && typeof stderr === 'string') return { action, stderr };
  return null;
}

function parseObject(line: Uint8Array): Record<string, unknown> | null {
  const value = isUtf8(line) ? parseJson(Buffer.from(line).toString('utf8')) : null;
  return isObject(value) ? value : null;
}
