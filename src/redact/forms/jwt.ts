import { URL_SAFE } from '../text/characters.ts';
import type { Findings } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';

const DOT = 46;
const FIRST = 101;
const SHORTEST_PAYLOAD = 8;

/** A signed token, for the dot before its payload. Gives where to read on. */
export function hideJwt(reader: Reader, found: Findings, dot: number): number {
  if (reader.code(dot + 1) !== FIRST || !reader.startsWith('.eyJ', dot)) return dot + 1;
  const payload = reader.run(dot + 1, URL_SAFE);
  if (payload - dot <= SHORTEST_PAYLOAD) return dot + 1;
  let start = dot;
  while ((reader.bits(start - 1) & URL_SAFE) !== 0) start--;
  const header = reader.slice(start, dot).indexOf('eyJ');
  if (header < 0) return dot + 1;
  const end = reader.code(payload) === DOT ? reader.run(payload + 1, URL_SAFE) : payload;
  return found.add(start + header, end, '[redacted:jwt]');
}
