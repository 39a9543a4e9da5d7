import { outlineOf } from './outline.ts';
import { payloadProblem, plainObject, readablePart } from './payload.ts';

/** An agent's input on stdin. */
export interface Stdin {
  readonly bytes: Buffer;
  /** Total number of bytes; those beyond a limit are counted but not stored. */
  readonly total: number;
}

/** Replies that our forwarders understand besides an answer, including that they confirm one on request. */
export const ACCEPTS: readonly string[] = ['hold_ms', 'error', 'confirm'];

interface RequestParts {
  readonly id: string;
  readonly ts: number;
  readonly agent: string;
  readonly event: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Stdin;
  /** Replies that the sender understands besides an answer; all of them by default. */
  readonly accepts?: readonly string[];
}

/**
 * The line for the daemon. A valid JSON payload is inserted unchanged, because parsing it here would only cost time.
 */
export function requestLine(parts: RequestParts): Buffer {
  const { id, ts, agent, event, env, stdin, accepts = ACCEPTS } = parts;
  const plain = plainObject(stdin.bytes);
  const found = plain ?? outlineOf(stdin.bytes, 1);
  const head = JSON.stringify({
    request_id: id,
    ts,
    ...textField('session_id', found?.session_id),
    ...textField('hook_event_name', found?.hook_event_name ?? event),
    agent,
    ...(event === null ? {} : { event }),
    accepts,
    env,
  });
  const open = Buffer.from(`${head.slice(0, -1)},"payload":`);
  const problem = plain === null ? payloadProblem(stdin.bytes) : null;
  if (problem === null) return Buffer.concat([open, onOneLine(stdin.bytes), Buffer.from('}\n')]);
  const part = JSON.stringify(readablePart(stdin.bytes));
  return Buffer.concat([open, Buffer.from(`${part},"bytes":${stdin.total},"problem":"${problem}"}\n`)]);
}

/** Confirms that an answer was read. */
export function gotLine(id: string): string {
  return `${JSON.stringify({ request_id: id, got: true })}\n`;
}

/** Repeated next to the payload, for readers that look at nothing else. */
function textField(name: string, value: unknown): Record<string, string> {
  return typeof value === 'string' ? { [name]: value } : {};
}

/** A line break in valid JSON is always between tokens, where a space means the same. */
function onOneLine(json: Buffer): Buffer {
  const line = Buffer.from(json);
  for (const lineBreak of [0x0a, 0x0d]) {
    for (let at = line.indexOf(lineBreak); at !== -1; at = line.indexOf(lineBreak, at + 1)) line[at] = 0x20;
  }
  return line;
}

/** Sortable by time, and unique. Not a secret, because loading Node's crypto takes milliseconds. */
export function newRequestId(ms: number): string {
  const random = randomDigits() + randomDigits();
  return `${String(ms).padStart(13, '0')}-${random}`;
}

/** Eight hexadecimal digits. V8 takes the seed from the system. */
function randomDigits(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
