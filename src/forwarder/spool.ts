import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRecord, Recorder } from '../engine/record.ts';
import { learnEnvValues } from '../observe/env-values.ts';
import { redact } from '../observe/redact.ts';

/**
 * A recorder for when there is no daemon: each call becomes a file of its own, complete or not there at all, named
 * after the event's id so that taking it in twice is impossible.
 */
export function createSpoolRecorder(folder: string): Recorder {
  return {
    // Only the store can count; the event gets its place when it is taken in.
    place: (event) => event,
    waitingContext: () => [],
    commit(record) {
      learnEnvValues(record.event);
      writeSpoolFile(folder, record);
      return true;
    },
  };
}

function writeSpoolFile(folder: string, record: CallRecord): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `${record.event.id.replace(/[^A-Za-z0-9_-]/g, '_')}.json`;
  const temporary = join(folder, `.${name}.${process.pid}`);
  const file = openSync(temporary, 'w', 0o600);
  try {
    // Not writeSync: that may write a part and say so only by a number.
    writeFileSync(file, redact(JSON.stringify(record)));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, join(folder, name));
}
