import { isUtf8 } from 'node:buffer';
import { isObject, parseJson } from '../model/json.ts';
import { scanObject } from './json-scan.ts';
import { HEAD_BYTES, MAX_DEPTH, MAX_PAYLOAD_BYTES } from './limits.ts';
import { outlineOf } from './outline.ts';

/** Why a payload can't be used as it is. */
export type PayloadProblem = 'empty' | 'not-json' | 'too-deep' | 'too-large' | 'not-utf8';

interface Classified {
  /** The agent's JSON object. If there is a problem, an outline or the beginning of the text. */
  readonly payload: unknown;
  readonly problem: PayloadProblem | null;
}

/** The problem with an agent's input; null for one valid JSON object. */
export function payloadProblem(bytes: Uint8Array): PayloadProblem | null {
  if (bytes.length > MAX_PAYLOAD_BYTES) return 'too-large';
  if (isBlank(bytes)) return 'empty';
  if (!isUtf8(bytes)) return 'not-utf8';
  const scan = scanObject(bytes);
  if (scan === 'object') return null;
  return scan === 'depth' ? 'too-deep' : 'not-json';
}

/** Parsing a larger one at once would hold it in memory twice. */
const PLAIN_BYTES = 256 << 10;

/** The object if a quick check finds no problem, as for most; otherwise null. */
export function plainObject(bytes: Buffer): Record<string, unknown> | null {
  if (bytes.length > PLAIN_BYTES || !isUtf8(bytes) || mayBeDeep(bytes)) return null;
  const found = parseJson(bytes.toString('utf8'));
  return isObject(found) ? found : null;
}

/** With fewer brackets than that, it can't be nested deeper. */
function mayBeDeep(bytes: Buffer): boolean {
  let opened = 0;
  for (const bracket of [0x5b, 0x7b])
    for (let at = bytes.indexOf(bracket); at !== -1; at = bytes.indexOf(bracket, at + 1)) {
      opened += 1;
      if (opened > MAX_DEPTH) return true;
    }
  return false;
}

const IN_WORDS: Readonly<Record<PayloadProblem, string>> = {
  empty: 'it is empty',
  'not-json': 'it is not one JSON object',
  'too-deep': `it is nested more than ${MAX_DEPTH} levels deep`,
  'too-large': `it is larger than ${MAX_PAYLOAD_BYTES >> 20} MiB`,
  'not-utf8': 'it is not UTF-8',
};

/** A problem for display; forwarders of another version may send unknown ones. */
export function describeProblem(problem: string, bytes: number | null): string {
  const known = Object.entries(IN_WORDS).find(([name]) => name === problem)?.[1] ?? problem;
  return bytes === null || bytes === 0 ? known : `${known} (${bytes} bytes)`;
}

export function classify(bytes: Uint8Array): Classified {
  const problem = payloadProblem(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return problem === null
    ? { payload: JSON.parse(text.toString('utf8')), problem }
    : { payload: readablePart(text), problem };
}

/** What identifies a call with an unreadable payload; invalid UTF-8 becomes U+FFFD. */
export function readablePart(bytes: Buffer): unknown {
  return outlineOf(bytes) ?? bytes.toString('utf8', 0, HEAD_BYTES);
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}
