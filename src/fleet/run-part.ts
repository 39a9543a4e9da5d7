import { messageOf } from '../model/errors.ts';
import type { Log } from '../model/log.ts';
import { LONGEST_RETRY_MS, waitBeforeRetry } from '../platform/wait.ts';
import type { FleetPart } from './part.ts';
import type { FleetSession } from './server/connection.ts';

/** A part that is restarted after errors. */
export interface RunningPart {
  readonly part: FleetPart;
  /** The last error; null while it works. */
  problem(): string | null;
  run(session: FleetSession): Promise<void>;
}

export function runPart(part: FleetPart, log: Log): RunningPart {
  let problem: string | null = null;
  return {
    part,
    problem: () => problem,
    async run(session) {
      for (let failures = 1; !session.signal.aborted; failures += 1) {
        const began = Date.now();
        try {
          await part.run(session);
          problem = null;
        } catch (error) {
          // An error caused by the lost connection isn't the part's fault.
          if (session.signal.aborted) return;
          const why = messageOf(error);
          if (why !== problem) log('warning', `fleet: ${part.name}: ${why}`);
          problem = why;
        }
        if (Date.now() - began > LONGEST_RETRY_MS) failures = 1;
        await waitBeforeRetry(failures, session.signal);
      }
    },
  };
}
