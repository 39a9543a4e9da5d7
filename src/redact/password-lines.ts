import { BACKSLASH, DIGIT, QUOTE, SPACE } from './characters.ts';
import type { Findings } from './findings.ts';
import { isStandIn } from './judge.ts';
import { REDACTED } from './named.ts';
import type { Reader } from './reader.ts';

const COLON = 58;
const LONGEST_FIELD = 64;
/** The ports that databases with a password file listen on; other numbers between colons are lines of files. */
const PORTS = new Set(['5432', '5433', '5439', '6432', '6543', '26257', '*']);

/** A line of `.pgpass`, `host:5432:database:user:password`, for the colon before its port. Gives where to read on. */
export function hidePgpass(reader: Reader, found: Findings, at: number): number {
  const next = reader.code(at + 1);
  if (next !== 42 && (reader.bits(at + 1) & DIGIT) === 0) return at + 1;
  const port = next === 42 ? at + 2 : reader.run(at + 1, DIGIT, Math.min(reader.length, at + 7));
  if (reader.code(port) !== COLON || !PORTS.has(reader.slice(at + 1, port))) return at + 1;
  const database = fieldEnd(reader, port + 1);
  const user = database < 0 ? -1 : fieldEnd(reader, database + 1);
  if (user < 0) return at + 1;
  const end = reader.bareEnd(user + 1);
  return isStandIn(reader.slice(user + 1, Math.min(end, user + LONGEST_FIELD)))
    ? at + 1
    : found.add(user + 1, end, REDACTED);
}

/** The colon behind the field that begins here, or -1. */
function fieldEnd(reader: Reader, from: number): number {
  const limit = Math.min(reader.length, from + LONGEST_FIELD);
  const colon = reader.first(COLON, from, reader.until(from, SPACE | QUOTE | BACKSLASH, limit));
  return colon > from ? colon : -1;
}

const LONGEST_PASSWORD = 64;

/** `user:password@tcp(host)/database`, for its `@`. Gives where to read on. */
export function hideTcpPassword(reader: Reader, found: Findings, at: number): number {
  if (!reader.startsWith('@tcp(', at) && !reader.startsWith('@unix(', at)) return at + 1;
  let start = at;
  const limit = Math.max(0, at - LONGEST_PASSWORD);
  while (start > limit && (reader.bits(start - 1) & (SPACE | QUOTE | BACKSLASH)) === 0) start--;
  const user = reader.slice(start, at);
  const colon = user.indexOf(':');
  if (colon < 0 || user.includes('[redacted') || isStandIn(user.slice(colon + 1))) return at + 1;
  found.add(start + colon + 1, at, REDACTED);
  return at + 1;
}
