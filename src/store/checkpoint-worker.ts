import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../model/errors.ts';
import { lowerThreadPriority } from '../platform/thread-priority.ts';
import { type Checkpointed, checkpointedNow } from './checkpointed.ts';
import { type Database, openDatabase } from './database/driver.ts';
import { type FileSeen, seeFile } from './repair/database-files.ts';

export interface CheckpointJob {
  readonly id: number;
  readonly path: string;
}

/** State of the database file right before and right after a write. */
export interface CheckpointWrites {
  readonly before: FileSeen;
  readonly after: FileSeen;
}

export type CheckpointAnswer =
  | (Checkpointed & CheckpointWrites)
  | { readonly problem: string }
  /** No answer yet. */
  | { readonly isOpen: true };

export interface FromCheckpoints {
  readonly id: number;
  readonly answer: CheckpointAnswer;
}

/** Asks the thread to end. */
export interface EndJob {
  readonly end: true;
}

lowerThreadPriority(5);
let db: Database | null = null;
parentPort?.on('message', (job: CheckpointJob | EndJob) => {
  if ('end' in job) end();
  else move(job);
});

function move({ id, path }: CheckpointJob): void {
  const answer = (given: CheckpointAnswer) =>
    parentPort?.postMessage({ id, answer: given } satisfies FromCheckpoints);
  try {
    db ??= openExisting(path);
    answer({ isOpen: true });
    const before = seeFile(path);
    const checkpointed = checkpointedNow(db);
    answer({ ...checkpointed, before, after: seeFile(path) });
  } catch (error) {
    answer({ problem: messageOf(error) });
  }
}

function end(): void {
  db?.close();
  const ended: unknown = workerData;
  if (ended instanceof Int32Array) {
    Atomics.store(ended, 0, 1);
    Atomics.notify(ended, 0);
  }
  parentPort?.close();
}

/** Opening a missing file would create it. */
function openExisting(path: string): Database {
  if (seeFile(path) === undefined) throw new Error(`${path} is gone`);
  return openDatabase(path);
}
