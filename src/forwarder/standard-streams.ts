import { readSync, writeSync } from 'node:fs';
import { MAX_STDIN_BYTES } from '../wire/limits.ts';
import type { Stdin } from '../wire/request.ts';

// The streams of `process` take as long to load as everything else that a call needs, and there is nothing else to do
// while reading.

const CHUNK_BYTES = 64 << 10;
const PAUSE_MS = 1;

/** Reads to the end regardless of size, because an agent whose pipe is closed early may treat that as a failure. */
export function readStdin(): Stdin {
  const kept: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = untilReady(() => readOrEnd(chunk));
    if (count === 0) return { bytes: Buffer.concat(kept), total };
    if (total < MAX_STDIN_BYTES) kept.push(chunk.subarray(0, Math.min(count, MAX_STDIN_BYTES - total)));
    total += count;
  }
}

/** False if the reader is gone. */
export function writeAll(descriptor: 1 | 2, text: string): boolean {
  try {
    let left = Buffer.from(text);
    while (left.length > 0) left = left.subarray(untilReady(() => writeSync(descriptor, left)));
    return true;
  } catch {
    return false;
  }
}

/** 0 at the end, which Windows reports as an error if the other side is gone. */
function readOrEnd(chunk: Buffer): number {
  try {
    return readSync(0, chunk);
  } catch (error) {
    if (codeOf(error) === 'EOF') return 0;
    throw error;
  }
}

/** Some parent processes pass non-blocking pipes. */
function untilReady(step: () => number): number {
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
