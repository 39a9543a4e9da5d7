import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import * as v from 'valibot';
import { sha256 } from '../../platform/sha256.ts';
import type { ChainItem } from '../../store/chain/read-chain.ts';
import type { PlacedRecord } from '../../store/chain/reader.ts';
import {
  hashWholeRecord,
  isLongPart,
  PART_COLUMNS,
  type PartHashes,
  partHash,
} from '../../store/chain/record-hash.ts';
import type { SqlValue } from '../../store/database/driver.ts';
import { EVENT_COLUMNS } from '../../store/read/event-columns.ts';
import type { Machine } from '../machine.ts';
import type { TeamNames } from '../subjects.ts';

/** One message for the stream. */
export interface AuditMessage {
  readonly subject: string;
  /** Stored once in the stream, however often it is sent. */
  readonly id: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** In the header of each record, so that readers can skip known records without parsing them. */
const LINK_HEADER = 'Hookline-Link';
const ENCODING_HEADER = 'Hookline-Encoding';
const GZIP = 'gzip';

const compress = promisify(gzip);
/** Above this size, compression helps, and a server accepts at most a megabyte. */
const COMPRESS_FROM = 32 << 10;

type Note = Exclude<ChainItem, { kind: 'record' }>;

/** A record with the previous record's hash; null if that isn't known here. */
export interface LinkedRecord extends PlacedRecord {
  readonly before: string | null;
}

/** A record as stored, with its place in the chain. */
export async function recordMessage(
  record: LinkedRecord,
  machine: string,
  names: TeamNames,
  maxBytes: number,
): Promise<AuditMessage> {
  const values = Object.fromEntries(EVENT_COLUMNS.map((column, at) => [column, record.values[at] ?? null]));
  const text = (value: unknown) => (typeof value === 'string' ? value : 'unknown');
  const about = {
    subject: names.event(machine, text(values.source), text(values.type)),
    id: safeId(text(values.id)),
  };
  const headers = { [LINK_HEADER]: String(record.link) };
  const large = PART_COLUMNS.filter((column) => isLongPart(column, values[column] ?? null));
  for (let leftOut: readonly string[] = []; ; leftOut = large.slice(0, leftOut.length + 1)) {
    const json = Buffer.from(JSON.stringify(bodyWithout(leftOut, record, values)));
    const body = json.length < COMPRESS_FROM ? json : await compress(json);
    if (body.length > maxBytes && leftOut.length < large.length) continue;
    const encoding: Record<string, string> = body === json ? {} : { [ENCODING_HEADER]: GZIP };
    return { ...about, body, headers: { ...headers, ...encoding } };
  }
}

/** Includes the hashes of what is left out, from which its own hash can be computed. */
function bodyWithout(
  leftOut: readonly string[],
  { link, hash, before, values }: LinkedRecord,
  columns: Readonly<Record<string, SqlValue>>,
) {
  const body = { kind: 'record', link, hash, before, leftOut };
  if (leftOut.length === 0) return { ...body, record: columns };
  const kept = { ...columns, ...Object.fromEntries(leftOut.map((column) => [column, null])) };
  // Records of 0.1.0 use the other hash form, which needs all values: with hashes of parts they would look altered.
  if (before !== null && hashWholeRecord(before, values) === hash) return { ...body, record: kept };
  const parts = Object.fromEntries(leftOut.map((column) => [column, partHash(String(columns[column]))]));
  return { ...body, record: kept, parts };
}

/** A signature of the chain, with the key to verify it. The machine's ID is derived from that key. */
export function noteMessage(
  note: Note,
  { id: machine, publicKey }: Pick<Machine, 'id' | 'publicKey'>,
  names: TeamNames,
): AuditMessage {
  return {
    subject: names.chain(machine, note.kind),
    id: noteId(note, machine),
    body: Buffer.from(JSON.stringify({ ...note, publicKey })),
    headers: {},
  };
}

/** Contains the machine's ID, because otherwise notes of several homes could be the same message. */
export function noteId(note: Note, machine: string): string {
  return note.kind === 'gap'
    ? `${machine}-gap-${note.first}-${note.last}-${note.at}`
    : `${machine}-checkpoint-${note.link}-${note.at}`;
}

/** IDs are ours, or sent by a foreign forwarder, and a header is one line. */
export function safeId(id: string): string {
  return /^[\w.:-]{1,100}$/.test(id) ? id : sha256(id);
}

const number = v.pipe(v.number(), v.safeInteger());
const value = v.union([v.null(), v.number(), v.string()]);
const parsed = v.variant('kind', [
  v.object({
    kind: v.literal('record'),
    link: number,
    hash: v.string(),
    before: v.nullable(v.string()),
    record: v.record(v.string(), value),
    leftOut: v.array(v.string()),
    // Older versions don't send them.
    parts: v.optional(v.record(v.string(), v.string()), {}),
  }),
  v.object({
    kind: v.literal('gap'),
    first: number,
    last: number,
    hash: v.string(),
    reason: v.string(),
    at: number,
    signature: v.string(),
    publicKey: v.string(),
  }),
  v.object({
    kind: v.literal('checkpoint'),
    link: number,
    hash: v.string(),
    at: number,
    signature: v.string(),
    publicKey: v.string(),
  }),
]);

/** The content of a stream message: an item of the sender's chain. */
export type AuditItem = ChainItem & {
  /** Columns that were too large to send, represented by their hashes. */
  readonly leftOut: readonly string[];
  readonly parts: PartHashes;
  /** The previous record's hash. */
  readonly before: string | null;
  /** The key of a signature, in base64. */
  readonly publicKey: string | null;
};

/** Limits the size of what others send. */
const MOST_BYTES = 64 << 20;

/** The parts of a stream message that are read. */
export interface StreamMessage {
  readonly seq: number;
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: { get(name: string): string } | undefined;
}

/**
 * Null if a message isn't ours.
 * @param most size limit after decompression, because others send it
 */
export function readMessage(
  { data, headers }: Pick<StreamMessage, 'data' | 'headers'>,
  most: number = MOST_BYTES,
): AuditItem | null {
  try {
    const isPacked = headers?.get(ENCODING_HEADER) === GZIP;
    const json = isPacked ? gunzipSync(data, { maxOutputLength: most }) : data;
    if (json.length > most) return null;
    const read = v.safeParse(parsed, JSON.parse(Buffer.from(json).toString('utf8')));
    if (!read.success) return null;
    const { output } = read;
    if (output.kind !== 'record') return { ...output, leftOut: [], parts: {}, before: null };
    const { kind, link, hash, before, record, leftOut, parts } = output;
    const values: readonly SqlValue[] = EVENT_COLUMNS.map((column) => record[column] ?? null);
    return { kind, link, hash, before, values, leftOut, parts, publicKey: null };
  } catch {
    return null;
  }
}
