import { readFileSync } from 'node:fs';

/*
 * The write-ahead log as described in https://www.sqlite.org/fileformat.html: a header and frames, each with a page
 * and the checksum of everything before it. SQLite silently stops at the first wrong checksum.
 */
const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

type Sums = readonly [number, number];

interface LogShape {
  readonly littleEndian: boolean;
  readonly pageSize: number;
  readonly frames: number;
}

/** Number of the first damaged frame, counted from 1; 0 for the header, null if there is none. */
export function firstDamagedFrame(path: string): number | null {
  const log = readLog(path);
  if (log.length <= HEADER) return null;
  const shape = shapeOf(log);
  if (shape === null) return 0;
  let sums = checksum(log, 0, 24, [0, 0], shape);
  if (!hasSums(log, 24, sums)) return 0;
  const last = lastFrame(log, shape);
  for (let frame = 0; frame < last; frame += 1) {
    const at = frameAt(frame, shape);
    sums = frameSums(log, at, sums, shape);
    if (!isOfThisLog(log, at) || !hasSums(log, at + 16, sums)) return frame + 1;
  }
  return null;
}

/** The same log with corrected checksums, so that SQLite reads past the damage; null if that makes no sense. */
export function withFittingChecksums(path: string): Uint8Array | null {
  const log = Buffer.from(readLog(path));
  const shape = log.length <= HEADER ? null : shapeOf(log);
  if (shape === null) return null;
  let sums = checksum(log, 0, 24, [0, 0], shape);
  putSums(log, 24, sums);
  const last = lastFrame(log, shape);
  for (let frame = 0; frame < last; frame += 1) {
    const at = frameAt(frame, shape);
    log.copy(log, at + 8, 16, 24);
    sums = frameSums(log, at, sums, shape);
    putSums(log, at + 16, sums);
  }
  return log;
}

function readLog(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function shapeOf(log: Buffer): LogShape | null {
  const magic = log.readUInt32BE(0);
  const pageSize = log.readUInt32BE(8);
  const isPower = pageSize >= 512 && pageSize <= 65536 && (pageSize & (pageSize - 1)) === 0;
  if ((magic & ~1) !== MAGIC || !isPower) return null;
  const frames = Math.floor((log.length - HEADER) / (FRAME_HEADER + pageSize));
  return { littleEndian: (magic & 1) === 0, pageSize, frames };
}

/** Later frames are left from before the log restarted. */
function lastFrame(log: Buffer, shape: LogShape): number {
  for (let frame = shape.frames; frame > 0; frame -= 1)
    if (isOfThisLog(log, frameAt(frame - 1, shape))) return frame;
  return 0;
}

const frameAt = (frame: number, { pageSize }: LogShape) => HEADER + frame * (FRAME_HEADER + pageSize);

const isOfThisLog = (log: Buffer, at: number) => log.compare(log, 16, 24, at + 8, at + 16) === 0;

const hasSums = (log: Buffer, at: number, [first, second]: Sums) =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;

function putSums(log: Buffer, at: number, [first, second]: Sums): void {
  log.writeUInt32BE(first, at);
  log.writeUInt32BE(second, at + 4);
}

const frameSums = (log: Buffer, at: number, before: Sums, shape: LogShape) =>
  checksum(
    log,
    at + FRAME_HEADER,
    at + FRAME_HEADER + shape.pageSize,
    checksum(log, at, at + 8, before, shape),
    shape,
  );

function checksum(log: Buffer, from: number, to: number, before: Sums, { littleEndian }: LogShape): Sums {
  const bytes = new DataView(log.buffer, log.byteOffset, log.byteLength);
  let [first, second] = before;
  for (let at = from; at < to; at += 8) {
    first = (first + bytes.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + bytes.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  return [first, second];
}
