import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../model/errors.ts';
import type { CallRecord } from '../../model/recording.ts';
import { lowerThreadPriority } from '../../platform/thread-priority.ts';
import { useEnvValues } from '../../redact/env-values.ts';
import { redact } from '../../redact/redact.ts';
import type { SqlValue } from '../../store/database/driver.ts';
import { eventRow } from '../../store/record/event-row.ts';
import { type ParsedRequest, parseRequest } from '../../wire/protocol.ts';

/** A line to parse, or a call whose row is needed. */
export type LargeJob =
  | { readonly id: number; readonly line: Uint8Array }
  | {
      readonly id: number;
      readonly record: CallRecord;
      /** Values that the main thread learned to redact. */
      readonly envValues: readonly string[];
    };

export type FromLargeCalls =
  | { readonly id: number; readonly request: ParsedRequest }
  | { readonly id: number; readonly row: readonly SqlValue[] }
  | { readonly id: number; readonly problem: string };

// Gives way to the main thread, for which callers wait. With a still lower priority, a large call would never finish
// on a busy machine.
lowerThreadPriority(5);
parentPort?.on('message', (job: LargeJob) => parentPort?.postMessage(resultOf(job)));

function resultOf(job: LargeJob): FromLargeCalls {
  const { id } = job;
  try {
    if ('line' in job) return { id, request: parseRequest(textOf(job.line)) };
    useEnvValues(job.envValues);
    return { id, row: eventRow(job.record, job.record.event, redact) };
  } catch (error) {
    return { id, problem: messageOf(error) };
  }
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
