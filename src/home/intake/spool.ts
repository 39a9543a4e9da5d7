import { join } from 'node:path';
import type { Recorder } from '../../model/recording.ts';
import { writePrivateFile } from '../../platform/files.ts';
import { learnEnvValues } from '../../redact/env-values.ts';
import { redact } from '../../redact/redact.ts';

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
      const name = `${record.event.id.replace(/[^A-Za-z0-9_-]/g, '_')}.json`;
      writePrivateFile(join(folder, name), redact(JSON.stringify(record)), { durable: true });
      return true;
    },
  };
}
