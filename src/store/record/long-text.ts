import { sha256 } from '../../platform/sha256.ts';
import { toJson } from './event-json.ts';

/** Kept of a text that is longer than both together: a written file may be of any size. */
const HEAD = 24_576;
const TAIL = 8_192;

const MARK = /\n… \[cut: (\d+) characters, sha256 ([0-9a-f]{64})\] …\n/y;
const LONGEST_MARK = 120;

/** The same JSON with every long text shortened to its ends, length and hash. */
export function withoutLongTexts(json: string): string {
  if (json.length <= HEAD + TAIL) return json;
  try {
    const cut: unknown = JSON.parse(json, (_, value) => (typeof value === 'string' ? cutText(value) : value));
    return toJson(cut) ?? json;
  } catch {
    // Too deep to parse again, so it is kept.
    return json;
  }
}

function cutText(text: string): string {
  if (text.length <= HEAD + TAIL) return text;
  const hash = sha256(text);
  return `${text.slice(0, HEAD)}\n… [cut: ${text.length} characters, sha256 ${hash}] …\n${text.slice(-TAIL)}`;
}

/** Length and hash of a shortened text; null for a complete one. */
export function wholeOf(text: string): { readonly length: number; readonly hash: string } | null {
  if (text.length <= HEAD + TAIL) return null;
  MARK.lastIndex = 0;
  const [, length, hash] = MARK.exec(text.slice(HEAD, HEAD + LONGEST_MARK)) ?? [];
  return length === undefined || hash === undefined ? null : { length: Number(length), hash };
}
