import { isStandIn } from '../names/judge.ts';
import { BACKSLASH, DIGIT, QUOTE, SPACE } from '../text/characters.ts';
import { type Findings, REDACTED } from '../text/findings.ts';
import type { Reader } from '../text/reader.ts';

const COLON = 58;
const ANY = 42;
const LONGEST_FIELD = 64;
/** The ports that databases with a password file listen on; other numbers between colons are lines of files. */
export const PGPASS_PORTS: readonly string[] = ['*', '5432', '5433', '5439', '6432', '6543', '26257'];

/** True if a port may stand here: a number, or any. */
export function isPort(reader: Reader, at: number): boolean {
  return (reader.bits(at) & DIGIT) !== 0 || reader.code(at) === ANY;
}

/** The colon behind the port that begins here, or -1. */
export function portEnd(reader: Reader, from: number): number {
  const port = PGPASS_PORTS.find((one) => reader.startsWith(one, from));
  return port !== undefined && reader.code(from + port.length) === COLON ? from + port.length : -1;
}

/**
 * A line of `.pgpass`, `host:5432:database:user:password`, for the colons before and behind its port. Gives where to
 * read on.
 */
export function hidePgpass(reader: Reader, found: Findings, at: number, behindPort: number): number {
  const database = fieldEnd(reader, behindPort + 1);
  const user = database < 0 ? -1 : fieldEnd(reader, database + 1);
  if (user < 0) return at + 1;
  // Only a password that is taken out is read to its end: it will not be read again.
  const near = reader.bareEnd(user + 1, Math.min(reader.length, user + LONGEST_FIELD));
  return isStandIn(reader.slice(user + 1, Math.min(near, user + LONGEST_FIELD)))
    ? at + 1
    : found.add(user + 1, reader.bareEnd(user + 1), REDACTED);
}

/** The colon behind the field that begins here, or -1. */
function fieldEnd(reader: Reader, from: number): number {
  const limit = Math.min(reader.length, from + LONGEST_FIELD);
  let at = from;
  while (at < limit && reader.code(at) !== COLON && (reader.bits(at) & (SPACE | QUOTE | BACKSLASH)) === 0)
    at++;
  reader.steps += at - from + 1;
  return at > from && reader.code(at) === COLON ? at : -1;
}

const LONGEST_PASSWORD = 64;
const OPEN = 40;
const ENDS = SPACE | QUOTE | BACKSLASH;

/** `user:password@tcp(host)/database`, for its `@`. Gives where to read on. */
export function hideTcpPassword(reader: Reader, found: Findings, at: number): number {
  if (!isNetwork(reader, at)) return at + 1;
  let start = at;
  const limit = Math.max(0, at - LONGEST_PASSWORD);
  // Stops at the previous host, because the text before it was already read.
  while (start > limit && (reader.bits(start - 1) & ENDS) === 0 && !isBehindHost(reader, start)) start--;
  reader.steps += at - start;
  const colon = reader.first(COLON, start, at);
  if (colon < 0 || colon + 1 === at) return at + 1;
  if (reader.slice(start, at).includes('[redacted') || isStandIn(reader.slice(colon + 1, at))) return at + 1;
  found.add(colon + 1, at, REDACTED);
  return at + 1;
}

function isNetwork(reader: Reader, at: number): boolean {
  const first = reader.code(at + 1);
  return (
    (first === 116 && reader.startsWith('@tcp(', at)) || (first === 117 && reader.startsWith('@unix(', at))
  );
}

const isBehindHost = (reader: Reader, at: number) =>
  reader.code(at - 1) === OPEN && (isNetwork(reader, at - 5) || isNetwork(reader, at - 6));
