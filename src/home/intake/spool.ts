import { join } from 'node:path';
import type { Recorder } from '../../model/recording.ts';
import { writePrivateFile } from '../../platform/files.ts';
import { learnEnvValues } from '../../redact/env-values.ts';
import { redact } from '../../redact/redact.ts';

/**
 * A recorder for when there is no daemon. Each call becomes one file, written atomically and named after the event's
 * ID, so that it can't be ingested twice.
 */
export function createSpoolRecorder(folder: string): Recorder {
  return {
    // Only the store can count; the event gets its place when it is ingested.
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
