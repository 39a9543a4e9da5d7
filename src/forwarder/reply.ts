import { isUtf8 } from 'node:buffer';
import type { NativeAnswer } from '../agents/agent.ts';

/** What one line of the daemon means for the request that waits. */
export type Heard =
  | { readonly kind: 'answer'; readonly answer: NativeAnswer }
  | { readonly kind: 'hold'; readonly ms: number }
  /** A line for somebody else. */
  | { readonly kind: 'other' }
  /** There will be no answer. */
  | { readonly kind: 'failed'; readonly why: string };

/** No approval takes longer. */
const MAX_HOLD_MS = 86_400_000;
const MALFORMED: Heard = { kind: 'failed', why: 'the daemon sent a line that is not a reply' };

/** Reads a reply line by hand: a schema library would take longer to load than everything else here. */
export function hear(line: Uint8Array, requestId: string): Heard {
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
  return answer ? { kind: 'answer', answer } : MALFORMED;
}

function readAnswer(payload: Record<string, unknown>): NativeAnswer | null {
  const { action, stdout_json, stderr } = payload;
  if (action === 'passthrough') return { action };
  if (action === 'json_output' && isObject(stdout_json)) return { action, stdout_json };
  if (action === 'block_with_stderr' && typeof stderr === 'string') return { action, stderr };
  return null;
}

function parseObject(line: Uint8Array): Record<string, unknown> | null {
  if (!isUtf8(line)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
